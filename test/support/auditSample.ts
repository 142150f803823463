import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuditEvent } from '../../src/core/audit/event';
import { AuditStore } from '../../src/node/audit/auditStore';
import { finished, violation } from './auditEvents';

const tools = [
  { toolName: 'read_file', capabilityId: 'file_system', riskLevel: 'low', effect: 'fs.read' },
  { toolName: 'grep_files', capabilityId: 'file_system', riskLevel: 'low', effect: 'fs.list' },
  { toolName: 'edit_file', capabilityId: 'file_system', riskLevel: 'medium', effect: 'fs.write' },
  { toolName: 'read_file', capabilityId: 'file_system', riskLevel: 'low', effect: 'fs.read' },
  { toolName: 'fetch_page', capabilityId: 'web_fetch', riskLevel: 'medium', effect: 'network.http' },
  { toolName: 'write_todos', capabilityId: 'todo_list', riskLevel: 'low', effect: undefined },
  { toolName: 'delete_file', capabilityId: 'file_system', riskLevel: 'high', effect: 'fs.delete' },
] as const;
const folders = ['src/routes', 'src/timetable', 'src/booking', 'test/routes', 'docs'];

/**
 * One call of a busy fortnight that ends at `end`: most read, some change, one in forty is denied and one in ninety
 * fails.
 */
export function sampleEvent(at: number, count: number, end: number): AuditEvent {
  // Some days are busier than others; time still only goes on.
  const left = (count - at) / count;
  const time = end - Math.round((left + 0.02 * (Math.cos(44 * left) - 1)) * 14 * 86_400_000);
  const tool = tools[(at * 5 + (at >> 3)) % tools.length] ?? tools[0];
  const file = `${folders[at % folders.length]}/${['harbour', 'ferry', 'season', 'ticket'][(at >> 3) % 4]}${at % 60}.ts`;
  const resource = tool.effect === 'network.http' ? `https://ferries.example/timetable/${at % 90}` : file;
  const accesses = tool.effect === undefined ? [] : [{ effect: tool.effect, resource }];
  const { toolName, capabilityId, riskLevel } = tool;
  const facts = {
    time,
    toolName,
    capabilityId,
    riskLevel,
    accesses,
    toolId: `cap:${capabilityId}:${toolName}`,
    profileId: at % 3 === 0 ? 'Reviewer' : 'Writer',
  };
  const invocationId = `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`;
  if (at % 40 === 7)
    return violation({
      time,
      invocationId,
      profileId: facts.profileId,
      riskLevel: 'low',
      toolName: 'read_file',
      toolId: 'cap:file_system:read_file',
    });
  const failed = at % 90 === 11;
  return finished({
    ...facts,
    invocationId,
    durationMs: 3 + ((at * 37) % 90) + (tool.effect === 'network.http' ? 220 : 0),
    actor: at % 11 === 0 ? { type: 'user', id: 'user' } : { type: 'agent', id: 'copilot' },
    ...(failed ? { outcome: 'tool_error', errorCode: 'not_found', errorMessage: `file not found: \`${file}\`` } : {}),
  });
}

/** The folder of the log in the storage of an editor's user. */
export async function auditFolder(serverFolder: string, name = 'audit'): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile('package.json', 'utf8'));
  const { publisher, name: extension } = manifest as { publisher: string; name: string };
  return path.join(serverFolder, 'user', 'User', 'globalStorage', `${publisher}.${extension}`.toLowerCase(), name);
}

interface SampleOptions {
  /** When the last call ended, in milliseconds since 1970: a minute ago by default. */
  readonly end?: number;
  /** Where a segment ends, by default where every log's does. */
  readonly maxSegmentBytes?: number;
}

/** Writes a log of so many calls, as other windows would have. */
export function writeSample(dir: string, count: number, options: SampleOptions = {}): void {
  const { end = Date.now() - 60_000, ...limits } = options;
  const store = new AuditStore({ dir, ...limits });
  for (let at = 0; at < count; at++) {
    store.record(sampleEvent(at, count, end));
    if (at % 500 === 0) store.flush();
  }
  store.dispose();
}
