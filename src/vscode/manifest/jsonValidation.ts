import type { JsonObject } from '../../core/base/json';

/** The files of `.vscode/capabilities` that a shipped schema describes: the editor completes, explains and checks them while they are written. */
export const jsonValidation: readonly JsonObject[] = [
  ...['boundaries', 'requirements', 'grants'].map((name) => ({ fileMatch: `**/.vscode/capabilities/${name}.json`, name })),
  ...['capability', 'actions', 'channel'].map((name) => ({ fileMatch: `**/.vscode/capabilities/*.${name}.json`, name })),
].map(({ fileMatch, name }) => ({ fileMatch, url: `./media/schemas/${name}.schema.json` }));
