// The buttons in the README of the sample that `npm start` opens, and the chat switched on for its scripted model.
const vscode = require('vscode');

const ask = 'ferryTimesGuide.ask';
/** The model of chatLanguageModels.json. */
const modelSelector = { vendor: 'customendpoint', id: 'tour-script' };
const chat = 'GitHub.copilot-chat';

/**
 * A fresh editor has its chat extension switched off until somebody signs in. The editor's own way to models that need
 * no sign-in, *Manage Language Models*, switches it on.
 */
async function enableChat() {
  for (let round = 0; round < 20 && !vscode.extensions.getExtension(chat); round++) {
    await vscode.commands.executeCommand('workbench.action.chat.manage').then(undefined, () => undefined);
    await new Promise((done) => setTimeout(done, 1000));
  }
  for (const { tabs } of vscode.window.tabGroups.all)
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => input === undefined));
  await vscode.extensions.getExtension(chat)?.activate();
}

/** A line of the README that stands for a prompt. */
const promptOf = (line) => /^> (.+)$/.exec(line)?.[1];

const lenses = {
  provideCodeLenses(document) {
    const lines = document.getText().split('\n');
    const prompts = lines.flatMap((line, at) => {
      const prompt = promptOf(line);
      return prompt === undefined ? [] : [{ prompt, range: new vscode.Range(at, 0, at, 0) }];
    });
    return prompts.map(({ prompt, range }, index) => {
      const place = `${index + 1} of ${prompts.length}`;
      return prompt === 'Show me the record.'
        ? new vscode.CodeLens(range, {
            title: `$(graph) Open the record · ${place}`,
            command: 'agentCapabilities.openAuditView',
          })
        : new vscode.CodeLens(range, { title: `$(play) Ask the agent · ${place}`, command: ask, arguments: [prompt] });
    });
  },
};

exports.activate = async (context) => {
  const enabled = enableChat();
  context.subscriptions.push(
    vscode.commands.registerCommand(ask, async (query) => {
      await enabled;
      await vscode.commands.executeCommand('workbench.action.chat.open', { query, mode: 'agent', modelSelector });
    }),
    vscode.languages.registerCodeLensProvider({ pattern: '**/README.md' }, lenses),
  );
  await enabled;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'README.md'));
};
