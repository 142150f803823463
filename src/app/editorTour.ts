import { lazy } from '../core/base/lazy';
import path from 'node:path';
import * as vscode from 'vscode';
import type { OpenTour } from '../core/agent/tour';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { nodeCrypto } from '../node/system';
import { preview } from '../vscode/files/readOnlyText';
import type { TourPanel } from '../vscode/tour/tourPanel';
import type { EditorBase } from './editorParts';

/** The tour in the editor: its page, its commands and what the chat opens. All of it is loaded with the first use. */
export function editorTour({ context, version, commands, questions, texts, log }: EditorBase): Disposable & {
  open(): Promise<OpenTour>;
} {
  const store = new DisposableStore();
  const open = async (): Promise<OpenTour> => {
    const [{ composeTour }, { tourConfirmer }] = await Promise.all([
      import('./composeTour'),
      import('../vscode/tour/tourConfirmer'),
    ]);
    return composeTour({
      confirmer: tourConfirmer(questions),
      worker: context.asAbsolutePath(path.join('dist', 'worker.js')),
      log,
      version,
    });
  };
  const panel = lazy(async (): Promise<TourPanel> => {
    const { TourPanel: Panel } = await import('../vscode/tour/tourPanel');
    return store.add(new Panel({ open, crypto: nodeCrypto }));
  });
  store.add(
    commands.add({
      playTour: async (what) => (await panel()).run(what),
      withoutModel: async () => {
        const { withoutModelMarkdown } = await import('../core/present/noModelRows');
        await preview(texts, `${vscode.l10n.t('Without a model')}.md`, withoutModelMarkdown(vscode.l10n.t));
      },
    }),
  );
  return { open, dispose: () => store.dispose() };
}
