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
  const find = (): void =>
    void vscode.workspace.findFiles(files).then((found) => {
      if (found.length > 0 || isShown) use((loaded) => loaded.readAll(found));
    }, failed);
  store.add(
    context.folders.onDidChange((uri) => {
      if (isPolicyFolder(uri) || uri.path.endsWith('.policy-test.json')) find();
    }),
  );
  find();
  return store;
}
