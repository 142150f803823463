import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { startingIn } from '../files/fileText';

/** More files than these are found by typing their path. */
const most = 5_000;

/**
 * Asks for a place in the workspace: its files are offered, what is typed counts as it stands, so that a new file or a
 * folder can be named too, and a file can be chosen in the editor's dialog. Undefined where the person gives up.
 */
export async function pickPath(question: {
  readonly title: string;
  readonly placeHolder: string;
  readonly value: string;
}): Promise<string | undefined> {
  const store = new DisposableStore();
  try {
    const picked = await ask(store, question);
    return picked === 'browse' ? await browse(question.title) : picked?.path;
  } finally {
    store.dispose();
  }
}

type PathItem = vscode.QuickPickItem & { readonly answer: 'browse' | { readonly path: string } };

function ask(
  store: { add<T extends Disposable>(one: T): T },
  { title, placeHolder, value }: { readonly title: string; readonly placeHolder: string; readonly value: string },
): Promise<PathItem['answer'] | undefined> {
  const pick = store.add(vscode.window.createQuickPick<PathItem>());
  const searching = store.add(new vscode.CancellationTokenSource());
  pick.title = title;
  pick.placeholder = placeHolder;
  pick.value = value;
  pick.ignoreFocusOut = true;
  const dialog: PathItem = {
    label: `$(folder-opened) ${vscode.l10n.t('Choose a File…')}`,
    alwaysShow: true,
    answer: 'browse',
  };
  let files: readonly PathItem[] = [];
  const draw = (): void => {
    const typed: PathItem[] =
      pick.value === ''
        ? []
        : [
            {
              // No file's name: the editor would put what is equal to the typed text before the files that have it.
              label: `$(edit) ${vscode.l10n.t('as typed')}`,
              description: pick.value,
              alwaysShow: true,
              answer: { path: pick.value },
            },
          ];
    const wanted = pick.value.toLowerCase();
    const exact = files.filter(({ label }) => label === pick.value);
    const others = files.filter(({ label }) => label !== pick.value);
    // A part of a path means the file that has it; what no file has is meant as it stands.
    const isPart = wanted !== '' && others.some(({ label }) => label.toLowerCase().includes(wanted));
    if (exact.length > 0) pick.items = [...exact, ...others, dialog];
    else pick.items = isPart ? [...others, ...typed, dialog] : [...typed, ...others, dialog];
  };
  pick.busy = true;
  void Promise.resolve(vscode.workspace.findFiles('**/*', undefined, most, searching.token)).then(
    (found) => {
      files = found
        .map((uri) => vscode.workspace.asRelativePath(uri))
        .sort()
        .map((path): PathItem => ({ label: path, answer: { path } }));
      pick.busy = false;
      draw();
    },
    () => {
      pick.busy = false;
    },
  );
  store.add(pick.onDidChangeValue(draw));
  draw();
  return new Promise((resolve) => {
    store.add(pick.onDidAccept(() => resolve(pick.selectedItems[0]?.answer)));
    store.add(pick.onDidHide(() => resolve(undefined)));
    pick.show();
  });
}

async function browse(title: string): Promise<string | undefined> {
  const [chosen] = (await vscode.window.showOpenDialog({ title, canSelectFolders: true, ...startingIn() })) ?? [];
  return chosen && vscode.workspace.asRelativePath(chosen);
}
