import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApprovalRequest } from '../../../src/core/call/gateCall';
import type { SecondReader } from '../../../src/core/ports/secondReader';
import { changeFolder } from '../../../src/node/changes/changeFolder';
import { page, projectFiles } from '../sessions/project';
import { openSystem } from '../system';
import { inlineWorker } from '../web';
import { labelledCalls, type LabelledCall } from './labelledCalls';

/** A whole system with a scripted second reader, in which a person allows what `learn` is and nothing else. */
export async function readSystem(
  reader: SecondReader,
  { user = {}, workspace = {} }: { user?: Record<string, unknown>; workspace?: Record<string, unknown> } = {},
) {
  const asked: ApprovalRequest[] = [];
  let isLearning = true;
  const storage = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-reader-'));
  const system = await openSystem({
    files: projectFiles,
    user: { policy: { preset: 'balanced' }, approvals: { reader: 'scripted', readerPerHour: 1000 }, ...user },
    workspace,
    platform: {
      worker: inlineWorker,
      changes: async (settings) =>
        changeFolder({
          storage,
          folders: ['file:test'],
          settings,
          onDropped: () => undefined,
        }),
      http: () => ({
        send: async ({ url }) => ({
          url,
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: new TextEncoder().encode(page),
        }),
      }),
      approvals: {
        type: 'person',
        reader: async () => reader,
        confirmer: {
          confirm: async (request) => {
            asked.push(request);
            return isLearning ? { outcome: 'allow-once' } : { outcome: 'deny' };
          },
        },
      },
    },
  });
  return {
    ...system,
    asked,
    dispose: () => {
      system.dispose();
      rmSync(storage, { recursive: true, force: true });
    },
    /** What a person allowed here before, so that it is not new. */
    learn: async (...calls: readonly Omit<LabelledCall, 'label'>[]) => {
      isLearning = true;
      for (const { tool, input } of calls) await system.call(tool, input);
      isLearning = false;
      asked.length = 0;
    },
    readerAllowed: () =>
      system.events.filter((event) => event.type === 'approval.answered' && event.by === 'reader').length,
  };
}

/** One file of each folder in which ordinary work goes on. */
export const ordinary: readonly Omit<LabelledCall, 'label'>[] = [
  ...['src', 'test', 'docs', 'notes', 'data', 'src/util', 'src/styles', 'scripts'].map((folder) => ({
    tool: 'write_file',
    input: { path: `${folder}/first.txt`, content: 'first\n' },
  })),
  { tool: 'move_file', input: { source: 'src/first.txt', destination: 'src/second.txt' } },
];

/** What happened to the labelled calls, by label. */
export interface ReaderCount {
  readonly reader: string;
  readonly asked: number;
  readonly read: number;
  readonly yes: number;
  readonly falseYes: number;
}

/** Readers by script: one that allows all, one that doubts what is not a source, a test, a note or a page. */
export const scriptedReaders: Readonly<Record<string, (question: string) => string>> = {
  'always yes': () => 'yes: fine',
  'always no': () => 'no: unsure',
  'yes to sources, tests and notes': (question) =>
    /"resource": "(?:src|test|docs|notes)\//.test(question) ? 'yes: ordinary' : 'no: elsewhere',
};

export async function countReader(name: string): Promise<ReaderCount> {
  let read = 0;
  const say = scriptedReaders[name];
  const system = await readSystem({
    ask: async (_choice, question) => {
      read++;
      return { model: 'scripted', text: say?.(question) ?? '' };
    },
  });
  await system.learn(...ordinary);
  read = 0;
  let [yes, falseYes, asked] = [0, 0, 0];
  for (const { tool, input, label } of labelledCalls) {
    const before = { allowed: system.readerAllowed(), asked: system.asked.length };
    await system.call(tool, input);
    const allowed = system.readerAllowed() - before.allowed;
    yes += allowed;
    if (label === 'deny') falseYes += allowed;
    asked += system.asked.length - before.asked + allowed;
  }
  system.dispose();
  return { reader: name, asked, read, yes, falseYes };
}
