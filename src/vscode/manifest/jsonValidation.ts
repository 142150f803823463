import type { JsonObject } from '../../core/base/json';

const folder = '**/.vscode/capabilities';

const schema = (name: string, fileMatch: string): JsonObject => ({
  fileMatch,
  url: `./media/schemas/${name}.schema.json`,
});

/**
 * The files of `.vscode/capabilities` that a shipped schema describes: the editor completes, explains and checks them
 * while they are written.
 */
export const jsonValidation: readonly JsonObject[] = [
  ...['boundaries', 'requirements', 'grants'].map((name) => schema(name, `${folder}/${name}.json`)),
  ...['capability', 'actions', 'channel'].map((name) => schema(name, `${folder}/*.${name}.json`)),
];
