// Dark, light, or as the system has it; kept in this browser.

const KEY = "glslc-multi theme", ORDER = ["auto", "light", "dark"];

export function makeTheme(button) {
  const show = theme => {
    document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
    document.documentElement.dataset.theme = theme;
    button.textContent = {auto: "◐", light: "☀", dark: "☾"}[theme];
    button.setAttribute("aria-label", `theme: ${theme}`);
    button.title = `theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    const next = ORDER[(ORDER.indexOf(document.documentElement.dataset.theme) + 1) % ORDER.length];
    keep(next);
    show(next);
  });
  show(kept());
}

// A browser may refuse to keep anything.
function kept() {
  try {
    const theme = localStorage.getItem(KEY);
    return ORDER.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}

function keep(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch { /* Then it is for this visit. */ }
}
