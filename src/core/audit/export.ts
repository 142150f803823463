import { describeAccess } from '../vocabulary/access';
import type { Json } from '../base/json';
import type { FoundRecord } from './reader';
import type { AuditRecord, ExportFormat } from './record';

const columns: readonly (readonly [string, (record: AuditRecord) => unknown])[] = [
  ['time', (record) => record.time],
  ['event', (record) => record.event],
  ['actor', (record) => record.actor],
  ['actor_id', (record) => record['gen_ai.agent.id'] ?? record['user.id']],
  ['profile', (record) => record.profile],
  ['tool', (record) => record.tool],
  ['risk', (record) => record.risk],
  ['outcome', (record) => record.outcome],
  ['error', (record) => record['error.type']],
  ['message', (record) => record['error.message'] ?? record.detail],
  ['approved_by', (record) => record['approval.by']],
  ['waited_ms', (record) => record['approval.waited_ms']],
  ['duration_ms', (record) => record.duration_ms],
  ['accesses', (record) => record.accesses?.map(describeAccess).join('; ')],
  ['rules', (record) => record.rules?.join('; ')],
  ['arguments', (record) => record['arguments.shape']],
  ['call', (record) => record['gen_ai.tool.call.id']],
  ['seq', (record) => record.seq],
  ['hash', (record) => record.hash],
];

const csvHeader = columns.map(([name]) => name).join(',');

/**
 * What a spreadsheet may take for a formula: what begins a field, a line in one, or what follows a mark that separates
 * fields elsewhere. Blanks and characters that nobody sees may stand before, and it may be full width.
 */
const formulaStart = /(?<=(?:^|[;\t\r\n])[\s\p{Cf}\p{Cc}]*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/gu;

/** One line of CSV (RFC 4180). A field that a spreadsheet would take for a formula gets an apostrophe before it. */
function csvLine(record: AuditRecord): string {
  return columns.map(([, read]) => csvField(read(record))).join(',');
}

function csvField(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const raw = String(value);
  const text = raw.replace(formulaStart, "'$&").replace(/^(?=[\t\r])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

const ours = new Set(['time', 'v', 'prev']);

/** A record as a log record of OpenTelemetry's protocol (OTLP/HTTP, JSON encoding: 64-bit integers are strings). */
function otlpRecord(record: AuditRecord): Json {
  const attributes: Json[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (ours.has(key) || value === undefined) continue;
    const name = /^(?:gen_ai|mcp|error|user)\./.test(key) ? key : `agent_capabilities.${key}`;
    attributes.push({ key: name, value: otlpValue(value) });
  }
  const nanos = `${Date.parse(record.time)}000000`;
  const [severityNumber, severityText] = severity(record);
  return {
    timeUnixNano: nanos,
    observedTimeUnixNano: nanos,
    severityNumber,
    severityText,
    eventName: record.event,
    body: { stringValue: record.event },
    attributes,
  };
}

function otlpValue(value: unknown): Json {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: JSON.stringify(value) };
}

function severity(record: AuditRecord): readonly [number, string] {
  if (record.outcome === 'internal_error' || record.event === 'audit.lost') return [17, 'ERROR'];
  if (record.outcome === 'denied') return [13, 'WARN'];
  return [9, 'INFO'];
}

/** The body of a request to a collector's `/v1/logs`, for up to a few hundred records. */
export function otlpLogs(records: readonly AuditRecord[], version: string): Json {
  return {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'agent-capabilities' } }] },
        scopeLogs: [{ scope: { name: 'agent-capabilities.audit', version }, logRecords: records.map(otlpRecord) }],
      },
    ],
  };
}

const batchSize = 200;
/** The version of the exported form, told to collectors. */
const exportVersion = '1';

/** The lines of an export, without line feeds; bounded memory whatever the size of the log. */
export async function* exportLines(found: AsyncIterable<FoundRecord>, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield csvHeader;
  let batch: AuditRecord[] = [];
  for await (const { record } of found) {
    if (format === 'jsonl') yield JSON.stringify(record);
    else if (format === 'csv') yield csvLine(record);
    else if (batch.push(record) >= batchSize) {
      yield JSON.stringify(otlpLogs(batch, exportVersion));
      batch = [];
    }
  }
  if (batch.length > 0) yield JSON.stringify(otlpLogs(batch, exportVersion));
}
