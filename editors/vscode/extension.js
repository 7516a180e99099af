"use strict";
// Starts `glslc-multi lsp` and hands it what is open; everything else is the server's.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SECTION = "glslcMulti";
let client;

function settings() {
  return { [SECTION]: vscode.workspace.getConfiguration(SECTION) };
}

exports.activate = function (context) {
  const command = vscode.workspace.getConfiguration(SECTION).get("command");
  const watcher = vscode.workspace.createFileSystemWatcher("**/{*.{vert,frag,geom,vs,fs,gs,vsh,fsh,glsl},glslc-multi.toml}");
  client = new LanguageClient(SECTION, "glslc-multi", { command, args: ["lsp"] }, {
    documentSelector: [{ language: "glsl" }],
    initializationOptions: settings(),
    synchronize: { configurationSection: SECTION, fileEvents: watcher },
  });
  context.subscriptions.push(watcher);
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
