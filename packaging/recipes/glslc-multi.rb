# `brew update-python-resources glslc-multi` adds networkx and pyparsing, with their addresses, as resources.
class GlslcMulti < Formula
  include Language::Python::Virtualenv

  desc "Retargetable compiler for GLSL and SPIR-V shaders of older GPUs"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
    man1.install "docs/glslc-multi.1"
    bash_completion.install "docs/completions/glslc-multi.bash" => "glslc-multi"
    zsh_completion.install "docs/completions/_glslc-multi"
    fish_completion.install "docs/completions/glslc-multi.fish"
  end

  test do
    (testpath/"a.vert").write "void main() { gl_Position = vec4(1.0); }\n"
    system bin/"glslc-multi", "a.vert", "--target", "pica200"
    assert_path_exists testpath/"a.shbin"
  end
end
