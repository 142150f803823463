#!/usr/bin/env node
// Checks a folder of the audit, and a report against it. Written from docs/audit-format.md alone: it imports nothing of
// the extension, so that a mistake there is not repeated here.
import { createHash, createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { argv, stderr, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';

const segmentName = /^(\d{8}T\d{9}Z-[a-z0-9]+)-(\d{4,})\.jsonl$/;
const hex64 = /^[0-9a-f]{64}$/;
const zeros = '0'.repeat(64);
const headKeys = ['segment', 'seq', 'hash', 'bytes', 'state', 'alg', 'key', 'pid', 'host', 'seen'];
const lineFeed = 10;

const headFile = (dir, segment) => path.join(dir, 'heads', segment.replace(/\.jsonl$/, '.json'));
const isGone = (head) => head?.state === 'retired' || head?.state === 'cleared';

function hashing(key) {
  const hash = key
    ? (data) => createHmac('sha256', key).update(data).digest('hex')
    : (data) => createHash('sha256').update(data).digest('hex');
  return {
    hash,
    alg: key ? 'hmac-sha256' : 'sha256',
    key: key ? hash('which key is this').slice(0, 16) : undefined,
  };
}

/** A folder that is not there holds nothing; of one that cannot be read nothing can be said. */
function namesIn(folder) {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const sameBytes = (data, text) => Buffer.from(text).equals(data);

/** A head, or undefined where the file is not to the byte the text of one. */
function readHead(dir, segment) {
  let data;
  try {
    data = readFileSync(headFile(dir, segment));
  } catch {
    return undefined;
  }
  const head = parsed(data.toString());
  if (!head || head.segment !== segment || !hex64.test(head.hash) || !hex64.test(head.check)) return undefined;
  if (![head.seq, head.bytes, head.pid].every(Number.isFinite) || typeof head.host !== 'string') return undefined;
  if (!['open', 'closed', 'retired', 'cleared'].includes(head.state)) return undefined;
  if (!['sha256', 'hmac-sha256'].includes(head.alg)) return undefined;
  if (![head.key, head.seen].every((one) => one === undefined || typeof one === 'string')) return undefined;
  return sameBytes(data, `${headText(head, head.check).padEnd(511)}\n`) ? head : undefined;
}

function headText(head, check) {
  const object = {};
  for (const key of headKeys) if (head[key] !== undefined) object[key] = head[key];
  if (check !== undefined) object.check = check;
  return JSON.stringify(object);
}

/** The lines of a file as bytes, the byte after each, and whether a line feed ends it. */
function* linesOf(data) {
  for (let start = 0; start < data.length;) {
    const end = data.indexOf(lineFeed, start);
    if (end < 0) {
      yield { bytes: data.subarray(start), end: data.length, isWhole: false };
      return;
    }
    yield { bytes: data.subarray(start, end), end: end + 1, isWhole: true };
    start = end + 1;
  }
}

const endLength = ',"hash":"'.length + 64 + '"}'.length;

/** Reads a line as a record whose hash fits; a text says what is wrong. */
function recordOf(bytes, hash) {
  const record = parsed(bytes.toString());
  const body = bytes.subarray(0, Math.max(0, bytes.length - endLength));
  const stated = bytes.subarray(body.length).toString('latin1');
  const match = /^,"hash":"([0-9a-f]{64})"\}$/.exec(stated);
  if (!record || !match) return 'is no record';
  if (hash(Buffer.concat([body, Buffer.from('}')])) !== match[1]) return 'was changed: its hash does not fit';
  if (!hex64.test(record.prev) || !Number.isInteger(record.seq) || record.seq < 1) return 'names no place';
  return record;
}

/** The notes at the beginning of a segment, as far as they can be read. */
function notesOf(data) {
  const notes = [];
  for (const { bytes, isWhole } of linesOf(data)) {
    const record = isWhole ? parsed(bytes.toString()) : undefined;
    if (!record || !/^audit\.(?:opened|recovered|witnessed)$/.test(record.event) || record.id === undefined) break;
    notes.push(record);
  }
  return notes;
}

/**
 * Verifies a folder, one segment in memory at a time. `kept`: heads that were kept elsewhere, `{ segment, seq, hash }`;
 * `visit` is called with each segment and record whose place in the chain holds.
 */
export function verifyAudit(dir, { key, kept = [], visit = () => undefined } = {}) {
  const seal = hashing(key);
  const faults = [];
  const fault = (file, message, line) => faults.push({ file, ...(line === undefined ? {} : { line }), message });
  const names = namesIn(dir).filter((name) => segmentName.test(name));
  const heads = new Map();
  for (const name of namesIn(path.join(dir, 'heads'))) {
    const segment = name.replace(/\.json$/, '.jsonl');
    if (name.endsWith('.json') && segmentName.test(segment)) heads.set(segment, readHead(dir, segment));
  }
  const isOfThisLog = (head) => head.alg === seal.alg && head.key === seal.key;
  const isSound = (head) => isOfThisLog(head) && head.check === seal.hash(`head ${headText(head)}`);

  // 1, 2 and `seen` of 6.
  for (const [segment, head] of heads) {
    if (!head) fault(`heads/${segment.replace(/l$/, '')}`, 'is no head');
    else if (!isOfThisLog(head))
      fault(
        segment,
        `is chained by ${head.alg} (key ${head.key ?? 'none'}), not ${seal.alg} (key ${seal.key ?? 'none'})`,
      );
    else if (!isSound(head)) fault(segment, 'has a head that was changed');
    else if (isGone(head)) {
      if (names.includes(segment)) fault(segment, `was ${head.state} and is there again`);
    } else {
      if (head.bytes > 0 && !names.includes(segment))
        fault(segment, 'is missing, and nothing says that it was removed');
      if (head.seen !== undefined && !existsSync(headFile(dir, head.seen)))
        fault(head.seen, `is missing with its head, which the head of ${segment} names`);
    }
  }

  // 5, 6 and 7: what others say of a segment.
  const witnesses = new Map();
  const content = (name) => readFileSync(path.join(dir, name));
  const witness = (segment, seq, hash, by) =>
    witnesses.set(segment, [...(witnesses.get(segment) ?? []), { seq, hash, by }]);
  for (const one of kept) witness(one.segment, one.seq, one.hash, 'a head that was kept elsewhere');
  for (const by of names)
    for (const note of notesOf(content(by))) {
      if (note.event === 'audit.witnessed' && note['head.hash'] !== undefined && note['head.seq'] !== undefined)
        witness(note.id, note['head.seq'], note['head.hash'], by);
      if (note['error.type'] === 'chain_broken' && !isGone(heads.get(note.id)))
        fault(note.id, `was found broken at ${note.time}, says ${by}: ${note.detail}`);
    }
  for (const [segment, [one]] of witnesses)
    if (!heads.has(segment) && !names.includes(segment)) fault(segment, `is missing with its head; ${one.by} names it`);

  // 3 and 4, segment by segment.
  const ends = new Map();
  let records = 0;
  const removed = new Set();
  for (const segment of names) {
    const data = content(segment);
    const head = heads.get(segment);
    if (head && !isOfThisLog(head)) continue;
    const [, window, number] = segmentName.exec(segment);
    const before = `${window}-${String(Number(number) - 1).padStart(4, '0')}.jsonl`;
    const start = Number(number) === 1 ? { seq: 0, hash: zeros } : (ends.get(before) ?? heads.get(before));
    if (!start) fault(segment, `follows ${before}, of which nothing is left`);
    const { places, last, broken, isTorn } = followed(data, segment, start, seal.hash, {
      fault,
      visit(record) {
        records++;
        if (/^audit\.(?:retired|cleared)$/.test(record.event))
          for (const one of record.segments ?? []) removed.add(one);
        visit(segment, record);
      },
    });
    ends.set(segment, last ?? start);
    // What follows a broken segment is held against its head, so that one cut is one fault.
    const soundHead = head && isSound(head) ? head : undefined;
    if (broken) {
      if (soundHead) ends.set(segment, soundHead);
      continue;
    }
    const faultsBefore = faults.length;
    if (!head) fault(segment, 'has no head');
    const named = [...(head && head.bytes > 0 ? [{ ...head, by: 'its head' }] : []), ...(witnesses.get(segment) ?? [])];
    for (const { seq, hash, by } of named) {
      const place = places.get(seq);
      if (!place)
        fault(segment, `was cut: ${by} stands at record ${seq}, and its last is ${last?.seq ?? 0}`, places.size + 1);
      else if (place.hash !== hash) fault(segment, `was rebuilt: record ${seq} is not the one that ${by} names`);
    }
    const place = places.get(head?.seq);
    if (head && place && place.end !== head.bytes) fault(segment, 'has a head that names another size');
    if (head?.state === 'closed' && data.length > head.bytes) fault(segment, 'goes on after it was closed');
    if ((isTorn || faults.length > faultsBefore) && soundHead) ends.set(segment, soundHead);
  }
  for (const { segment } of kept)
    if (isGone(heads.get(segment)) && !removed.has(segment))
      fault(segment, `is marked as ${heads.get(segment).state}, but no record says so`);
  return {
    ok: faults.length === 0,
    faults,
    isEmpty: names.length === 0 && heads.size === 0,
    segments: names.length,
    records,
    alg: seal.alg,
    isGone: (one) => isGone(heads.get(one)),
  };
}

/** Follows the lines of one segment until the first that does not fit. */
function followed(data, segment, start, hash, { fault, visit }) {
  const places = new Map();
  let at = start;
  let last;
  for (const { bytes, end, isWhole } of linesOf(data)) {
    const line = places.size + 1;
    const broken = (message) => {
      fault(segment, message, line);
      return { places, last, broken: true };
    };
    if (!isWhole) {
      fault(segment, 'ends in a line that was never finished', line);
      return { places, last, broken: false, isTorn: true };
    }
    const record = recordOf(bytes, hash);
    if (typeof record === 'string') return broken(record);
    if (at && record.prev !== at.hash) return broken('does not follow the line before it');
    if (at && record.seq !== at.seq + 1) return broken(`has the number ${record.seq} where ${at.seq + 1} was expected`);
    if (line === 1 && (record.event !== 'audit.opened' || record.id !== segment))
      return broken('is not the segment that its first record names');
    at = last = { seq: record.seq, hash: record.hash };
    places.set(record.seq, { hash: record.hash, end });
    visit(record);
  }
  return { places, last, broken: false };
}

const count = (map, key, fields, field) => {
  if (key === undefined) return;
  const entry = map[key] ?? Object.fromEntries(fields.map((one) => [one, 0]));
  if (field !== undefined) entry[field]++;
  Object.defineProperty(map, key, { value: entry, enumerable: true, configurable: true, writable: true });
};

/** Counts the numbers of a report from records, as the format's page says. */
function counter() {
  const numbers = {
    records: 0,
    calls: { total: 0, succeeded: 0, denied: 0, failed: 0, byAgents: 0, byUsers: 0, unfinished: 0 },
    tools: Object.create(null),
    rules: Object.create(null),
    answers: Object.create(null),
    policies: Object.create(null),
    questions: { asked: 0, allowed: 0, denied: 0 },
    denials: 0,
    takenBack: 0,
    changes: 0,
    hooked: Object.create(null),
    skippedQuestions: 0,
    lost: 0,
    removed: 0,
    broken: 0,
  };
  const begun = new Set();
  const ended = new Set();
  const add = (record) => {
    numbers.records++;
    const { event, outcome } = record;
    count(numbers.policies, record.policy, ['records'], 'records');
    if (event === 'invocation.started') begun.add(record['gen_ai.tool.call.id']);
    if (event === 'approval.asked') numbers.questions.asked++;
    if (event === 'approval.answered') numbers.questions[outcome]++;
    if (event.endsWith('.changed')) numbers.changes++;
    if (event === 'audit.lost') numbers.lost += record.count ?? 0;
    if (event === 'audit.retired' || event === 'audit.cleared') numbers.removed++;
    if (record['error.type'] === 'chain_broken') numbers.broken++;
    if (event !== 'invocation.finished' && event !== 'policy.violation') return;
    ended.add(record['gen_ai.tool.call.id']);
    const isDenied = event === 'policy.violation';
    const isFailed = !isDenied && outcome !== 'success';
    numbers.calls.total++;
    numbers.calls[isDenied ? 'denied' : isFailed ? 'failed' : 'succeeded']++;
    if (record.actor === 'agent') numbers.calls.byAgents++;
    if (record.actor === 'user') numbers.calls.byUsers++;
    count(numbers.tools, record.tool, ['calls', 'denied', 'failed'], 'calls');
    if (isDenied || isFailed) count(numbers.tools, record.tool, [], isDenied ? 'denied' : 'failed');
    count(numbers.answers, record['approval.by'], ['allowed', 'denied'], isDenied ? 'denied' : 'allowed');
    if (record['approval.by'] === 'editor-skipped') numbers.skippedQuestions++;
    if (record.source?.startsWith('host:')) count(numbers.hooked, record.source, ['calls'], 'calls');
    if (isDenied) numbers.denials++;
    else if (!isFailed && record.tool === 'cap:changes:undo_change') numbers.takenBack++;
    const said = new Set();
    for (const step of record.steps ?? []) {
      for (const { rule, advisory } of step.reasons ?? [])
        if (rule !== undefined && (advisory || step.effect !== 'pass'))
          said.add(JSON.stringify([rule, advisory ? 'advised' : step.effect === 'deny' ? 'denied' : 'asked']));
      for (const rule of step.waived ?? []) said.add(JSON.stringify([rule, 'waived']));
    }
    for (const one of said) {
      const [rule, what] = JSON.parse(one);
      count(numbers.rules, rule, ['denied', 'asked', 'advised', 'waived'], what);
    }
  };
  return {
    add,
    numbers() {
      numbers.calls.unfinished = [...begun].filter((id) => !ended.has(id)).length;
      return numbers;
    },
  };
}

/** The same numbers as a report says them. A list that was cut says nothing about its length. */
function toldBy(report) {
  const keyed = (rows, key, fields) =>
    Object.fromEntries((rows ?? []).map((row) => [row[key], Object.fromEntries(fields.map((one) => [one, row[one]]))]));
  const { notGoverned } = report;
  const { asked, allowed, denied } = report.questions;
  return {
    records: report.records,
    calls: report.calls,
    tools: keyed(report.tools, 'tool', ['calls', 'denied', 'failed']),
    rules: keyed(report.rules, 'rule', ['denied', 'asked', 'advised', 'waived']),
    answers: keyed(report.answers, 'by', ['allowed', 'denied']),
    policies: keyed(report.policies, 'revision', ['records']),
    questions: { asked, allowed, denied },
    denials: report.denials?.length,
    takenBack: report.takenBack?.length,
    changes: report.changes?.length,
    hooked: keyed(notGoverned.hooked, 'source', ['calls']),
    skippedQuestions: notGoverned.skippedQuestions,
    lost: notGoverned.lost,
    removed: notGoverned.removed?.length,
    broken: notGoverned.broken?.length,
  };
}

const sorted = (value) =>
  typeof value === 'object' && value !== null
    ? Object.keys(value)
        .sort()
        .map((key) => [key, sorted(value[key])])
    : value;

/** Verifies a folder and holds a report against it. */
export function verifyReport(dir, report, { key } = {}) {
  if (report?.kind !== 'agent-capabilities.audit-report' || report.v !== 1)
    return { ok: false, faults: [{ file: 'report', message: 'is no report of version 1' }], segments: 0 };
  const { segments } = report.proof;
  const places = new Map(segments.map(({ segment, seq }) => [segment, seq]));
  const counting = counter();
  const result = verifyAudit(dir, {
    key,
    kept: segments,
    visit(segment, record) {
      const isMeant = record.seq <= (places.get(segment) ?? 0);
      if (isMeant && record.time >= (report.from ?? '') && record.time < report.to) counting.add(record);
    },
  });
  const faults = [...result.faults];
  const fault = (message) => faults.push({ file: 'report', message });
  const gone = segments.filter(({ segment }) => result.isGone(segment)).length;
  const notes = [];
  if (gone > 0) notes.push(`${gone} of the report's segments were removed since: its numbers cannot be counted again`);
  else {
    const counted = counting.numbers();
    const told = toldBy(report);
    const cut = new Set(report.cut ?? []);
    for (const name of Object.keys(counted)) {
      if (!cut.has(name) && JSON.stringify(sorted(counted[name])) !== JSON.stringify(sorted(told[name])))
        fault(`${name}: the report says ${JSON.stringify(told[name])}, the log ${JSON.stringify(counted[name])}`);
    }
  }
  return { ...result, ok: faults.length === 0, faults, notes };
}

// What stands in a log must not steer the terminal.
const shown = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');

/** True also where nobody may look: what is wrong shows when it is read. */
function isFolder(dir) {
  try {
    return statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return true;
  }
}

/** What the folder comes to. Where it holds no log, or something cannot be read, that is its fault. */
function found(dir, { report, 'key-file': keyFile }) {
  const none = (file, message) => ({ ok: false, faults: [{ file, message }], segments: 0 });
  try {
    const key = keyFile === undefined ? undefined : Buffer.from(readFileSync(keyFile, 'utf8').trim());
    const result =
      report === undefined
        ? verifyAudit(dir, { key })
        : verifyReport(dir, parsed(readFileSync(report, 'utf8')), { key });
    const isNothing = result.ok && result.isEmpty;
    return isNothing ? none(dir, 'holds no segment and no head: there is nothing to verify') : result;
  } catch (error) {
    if (error.code === undefined || error.path === undefined) throw error;
    return none(error.path, `cannot be read (${error.code})`);
  }
}

function main(args) {
  const words = [];
  const options = {};
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--json') options.json = true;
    else if (args[at] === '--report' || args[at] === '--key-file') options[args[at].slice(2)] = args[++at];
    else words.push(args[at]);
  }
  const [dir] = words;
  const isUnclear = words.length !== 1 || dir.startsWith('-');
  if (isUnclear || !isFolder(dir)) {
    if (!isUnclear) stderr.write(`${shown(dir)} is no folder: there is nothing to verify\n`);
    stderr.write('usage: verify-audit.mjs DIR [--report REPORT.json] [--key-file FILE] [--json]\n');
    return 2;
  }
  const result = found(dir, options);
  const { ok, faults, segments, notes = [] } = result;
  if (options.json) stdout.write(`${JSON.stringify({ ok, faults, segments, notes }, undefined, 2)}\n`);
  else {
    for (const { file, line, message } of faults)
      stderr.write(`${shown(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)}\n`);
    for (const note of notes) stdout.write(`note: ${note}\n`);
    if (ok)
      stdout.write(
        `ok: ${result.records} records in ${segments} segments${options.report ? ', and the report fits them' : ''}\n`,
      );
  }
  return ok ? 0 : 1;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) process.exitCode = main(argv.slice(2));
