// A trivial extension, so that the harness can be tested before and apart from the real one.
const { readFileSync } = require('node:fs');
const vscode = require('vscode');

const checked = new Map([
  ['Alpha', true],
  ['Beta', false],
]);

async function ask() {
  const answer = await vscode.window.showWarningMessage(
    'Allow the fixture?',
    { modal: true, detail: 'A detail.' },
    'Allow Once',
  );
  return answer ?? 'Cancel';
}

const text = (value) => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(value)]);

exports.activate = (context) => {
  const view = vscode.window.createTreeView('fixture.tree', {
    treeDataProvider: {
      getChildren: (name) => (name ? [] : [...checked.keys()]),
      getTreeItem: (name) => ({
        label: name,
        checkboxState: checked.get(name)
          ? vscode.TreeItemCheckboxState.Checked
          : vscode.TreeItemCheckboxState.Unchecked,
      }),
    },
  });
  context.subscriptions.push(
    view,
    view.onDidChangeCheckboxState(({ items }) => {
      for (const [name, state] of items) checked.set(name, state === vscode.TreeItemCheckboxState.Checked);
    }),
    vscode.commands.registerCommand('fixture.greet', () => 'hello'),
    vscode.commands.registerCommand('fixture.ask', ask),
    vscode.lm.registerTool('fixture_add', { invoke: ({ input }) => text(`the sum is ${input.a + input.b}`) }),
    vscode.lm.registerTool('fixture_confirm', {
      prepareInvocation: () => ({
        confirmationMessages: { title: 'Confirm the fixture', message: 'It does nothing.' },
      }),
      invoke: () => text('confirmed'),
    }),
    vscode.lm.registerTool('fixture_read', { invoke: ({ input }) => text(readFileSync(input.path, 'utf8')) }),
    vscode.lm.registerTool('fixture_ask', { invoke: async () => text(`the person said ${await ask()}`) }),
  );
  return { checked: () => Object.fromEntries(checked) };
};
