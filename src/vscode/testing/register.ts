import * as vscode from 'vscode';
import { lazy } from '../../core/base/lazy';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { isPolicyFolder, type PolicyFolders } from '../files/policyFolders';
import type { PolicyTesting, PolicyTestingContext } from './policyTesting';

const files = '**/.vscode/capabilities/*.policy-test.json';

/** Offers the cases of a policy in the Testing view, once a workspace has some; what does so is loaded then. */
export function registerPolicyTesting(
  context: PolicyTestingContext & { readonly folders: Pick<PolicyFolders, 'onDidChange'> },
): Disposable {
  const store = new DisposableStore();
  let isShown = false;
  const testing = lazy(async () => store.add(new (await import('./policyTesting')).PolicyTesting(context)));
  const failed = (error: unknown): void => context.log.error(`the policy's cases cannot be shown: ${String(error)}`);
  const use = (what: (loaded: PolicyTesting) => unknown): void => {
    isShown = true;
    void testing().then(what).catch(failed);
  };
  let latest = 0;
  const find = (): void => {
    const finding = ++latest;
    void vscode.workspace.findFiles(files).then((found) => {
      // A later look knows more.
      if (finding === latest && (found.length > 0 || isShown)) use((loaded) => loaded.readAll(found));
    }, failed);
  };
  store.add(
    context.folders.onDidChange((uris) => {
      if (uris.some((uri) => isPolicyFolder(uri) || uri.path.endsWith('.policy-test.json'))) find();
    }),
  );
  find();
  return store;
}
