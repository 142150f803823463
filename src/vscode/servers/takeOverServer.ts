import * as vscode from 'vscode';
import type { JsonObject } from '../../core/base/json';
import { type Sentence, worded } from '../../core/base/sentence';
import { shortName } from '../visible';
import { type EditorServer, readEditorServers } from '../../core/foreign/editorConfig';
import { contentLines } from '../../core/foreign/entryWords';
import { parseServers } from '../../core/foreign/serverSpec';
import { rowText, withoutIcons } from '../../core/present/words';
import { saveServer } from './serverSettings';
import type { EditorServerFile, ServerCommandContext } from './serverCommand';

/** A row of *Add MCP Server…*. */
export interface ServerItem extends vscode.QuickPickItem {
  readonly run?: () => Promise<void>;
}

/**
 * Rows for what files of the editor or of other clients configure: what can be taken over, and what cannot, with why.
 */
export async function serversElsewhere(
  context: Pick<ServerCommandContext, 'editorFiles' | 'questions' | 'secrets' | 'servers'>,
): Promise<readonly ServerItem[]> {
  const elsewhere = (await context.editorFiles()).map((one) => ({ ...one, ...serversOf(one) }));
  const found = elsewhere.flatMap(({ file, servers }) =>
    servers.map((server): ServerItem => ({
      label: vscode.l10n.t('Take over {0}', inRow(server.name)),
      description: inRow(file),
      detail: [commandOf(server.entry), ...server.notes.map(wordedNote)].map(inRow).join(' · '),
      iconPath: new vscode.ThemeIcon('move'),
      run: () => takeOver(context, file, server),
    })),
  );
  const left = elsewhere.flatMap(({ uri, file, faults }) =>
    faults.map((fault): ServerItem => ({
      label: vscode.l10n.t('Open {0}', inRow(file)),
      detail: inRow(wordedNote(fault)),
      iconPath: new vscode.ThemeIcon('warning'),
      run: async () => void (await vscode.window.showTextDocument(uri)),
    })),
  );
  return [
    ...section(vscode.l10n.t('Configured elsewhere'), found),
    ...section(vscode.l10n.t('Cannot be taken over'), left),
  ];
}

const section = (label: string, items: readonly ServerItem[]): readonly ServerItem[] =>
  items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];

async function takeOver(
  context: Pick<ServerCommandContext, 'questions' | 'secrets' | 'servers'>,
  file: string,
  server: EditorServer,
): Promise<void> {
  const take = vscode.l10n.t('Take Over');
  const exists = context.servers.list().some((one) => one.name === server.name);
  const [spec] = parseServers({ [server.name]: server.entry }, 'user').servers;
  // It becomes the person's own entry, which is asked about no more: all of it is shown here.
  const detail = [
    spec ? contentLines({ spec, files: [] }, vscode.l10n.t).join('\n') : '',
    server.notes.map((note) => `• ${wordedNote(note)}`).join('\n'),
    ...(exists ? [vscode.l10n.t('It replaces the server of this name that is configured here.')] : []),
    vscode.l10n.t(
      'The entry is copied into your settings. It stays in {0} too: switch it off there, or its tools reach agent mode past the rules.',
      file,
    ),
  ];
  const question = {
    title: vscode.l10n.t('Take over the MCP server "{0}"?', shortName(server.name)),
    lines: [detail.filter((part) => part !== '').join('\n\n')],
    name: 'mcp-server.txt',
  };
  const isMeant = await context.questions.confirms(question, take);
  if (isMeant) await saveServer(context, server.name, server.entry);
}

/** A file that cannot be read says so once, not also that it holds no object. */
function serversOf({ value, fault, folder }: EditorServerFile): ReturnType<typeof readEditorServers> {
  if (fault && value === undefined) return { servers: [], faults: [fault] };
  const { servers, faults } = readEditorServers(value, folder);
  return { servers, faults: fault ? [fault, ...faults] : faults };
}

const inRow = (text: string): string => withoutIcons(rowText(text));

const wordedNote = (said: Sentence): string => worded(said, vscode.l10n.t);

/** What would be started or contacted, as one line. */
function commandOf(entry: JsonObject): string {
  const { url, command, args } = entry;
  return typeof url === 'string' ? url : [command, ...(Array.isArray(args) ? args : [])].join(' ');
}
