import { isObject, type Json, stringsIn } from '../base/json';
import type { GateCall } from '../call/gateCall';
import { hashIn, shownHash } from '../flow/contentOf';
import { resolvePath } from '../files/paths';
import type { FileSystem, OpenFile } from '../ports/files';
import type { Crypto } from '../ports/platform';
import type { ToolPorts } from '../ports/toolPorts';
import type { WorkspacePath } from '../ports/workspacePath';
import { placesRead } from '../secrets/places';
import type { SecretSession } from '../secrets/session';
import { isEnvironmentFile } from '../secrets/texts';
import { type Access, familyOf } from '../vocabulary/access';

interface Learning {
  readonly gate: { readonly ports: ToolPorts };
  readonly call: GateCall;
  readonly session: SecretSession;
  readonly accesses: readonly Access[];
  readonly payload: Json;
  readonly places: readonly string[];
}

/** Read once more for their secrets: of a larger one, what stands around the part that is shown. In bytes. */
const largestLearnt = 4_000_000;
const around = 30_000;
/** Of a search, the files of so many are read. */
const mostFiles = 200;

/**
 * Learns the secrets of files of which a call shows parts alone: a part may begin or end within one, and lines of a key
 * do not tell that they are. Answers whether parts are shown.
 */
export async function learnFiles({ gate, call, session, accesses, payload, places }: Learning): Promise<boolean> {
  const isPart = isPartial(call.input) || isCut(payload) || payload === null;
  const named = [...call.resolved.values()];
  // Where there are too many, those that hold most come first.
  const found = pathsIn(payload)
    .sort((a, b) => Number(isEnvironmentFile(b)) - Number(isEnvironmentFile(a)))
    .slice(0, mostFiles);
  if (!isPart && found.length === 0) return false;
  if (!accesses.some(({ effect }) => familyOf(effect) === 'fs')) return isPart;
  const offset = isObject(call.input) && typeof call.input['offset'] === 'number' ? call.input['offset'] : undefined;
  // The answer about one file says what all of it was when it was read.
  const hash = named.length === 1 ? hashIn(call, payload) : undefined;
  for (const { files, path } of await realPlaces(call))
    await learn({ files, path, session, places, offset, hash, crypto: gate.ports.crypto });
  const { files } = named[0] ?? gate.ports;
  for (const name of found) {
    const path = await resolvePath(files, name).catch(() => undefined);
    if (path) await learn({ files, path, session, places, crypto: gate.ports.crypto });
  }
  return isPart || found.length > 0;
}

/** The same before a call changes files: what it answers shows lines that are gone by then. */
export async function learnChanged(
  { ports }: Learning['gate'],
  call: GateCall,
  secrets: () => Promise<SecretSession>,
): Promise<void> {
  const changes = call.accesses.filter(({ effect }) => effect === 'fs.write');
  if (changes.length === 0 || call.resolved.size === 0) return;
  const session = await secrets();
  const places = placesRead(call.tool.source, changes, ports.files.folders().length > 1);
  for (const { files, path } of await realPlaces(call))
    await learn({ files, path, session, places, crypto: ports.crypto });
}

/** The places that a call named, as they were resolved while it was judged. */
export async function realPlaces({ resolved }: GateCall): Promise<readonly Pick<Learnt, 'files' | 'path'>[]> {
  const found = [...resolved.values()].map(({ files, path }) =>
    path.then(({ real }) => [{ files, path: real }]).catch(() => []),
  );
  return (await Promise.all(found)).flat();
}

interface Learnt {
  readonly files: FileSystem;
  readonly path: WorkspacePath;
  readonly session: SecretSession;
  readonly places: readonly string[];
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly offset?: number | undefined;
  /** Of all of a file that was shown in part, where that is known: surer than its time and size. */
  readonly hash?: string | undefined;
}

async function learn({ files, path, session, places, crypto, offset, hash }: Learnt): Promise<void> {
  const key = `${path.folder.name}/${path.path}`;
  if (hash !== undefined && session.hasLearnt(key, hash)) return;
  try {
    const stat = await files.stat(path);
    if (stat?.type !== 'file') return;
    const isWhole = stat.size <= largestLearnt;
    if (!isWhole && offset === undefined) return;
    const version = `${stat.modifiedMs} ${stat.size}`;
    if (isWhole && hash === undefined && session.hasLearnt(key, version)) return;
    const file = await files.open(path);
    try {
      const from = isWhole ? 0 : Math.max(0, (offset ?? 0) - around);
      const bytes = await readAll(file, from, isWhole ? stat.size : around * 4);
      session.learn(decode(bytes), places, isEnvironmentFile(path.path));
      if (isWhole) session.noteLearnt(key, [version, crypto.sha256(bytes).slice(0, shownHash)]);
    } finally {
      await file.close();
    }
  } catch {
    // What cannot be read has not been shown either.
  }
}

async function readAll(file: OpenFile, from: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let size = 0;
  while (size < length) {
    const piece = await file.read(from + size, length - size);
    if (piece.length === 0) break;
    bytes.set(piece, size);
    size += piece.length;
  }
  return bytes.subarray(0, size);
}

/** As text, in one or two bytes a character. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const text = new TextDecoder().decode(bytes);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

const parts: readonly string[] = [
  'start_line',
  'end_line',
  'head',
  'tail',
  'offset',
  'length',
  'max_bytes',
  'start_index',
  'max_length',
];
const isPartial = (input: unknown): boolean => isObject(input) && parts.some((name) => input[name] !== undefined);

/** Says of itself that it is not the whole. */
function isCut(payload: Json): boolean {
  if (Array.isArray(payload)) return payload.some((item: Json) => isCut(item));
  if (!isObject(payload)) return false;
  return payload['truncated'] === true || Object.values(payload).some((item) => isList(item) && isCut(item));
}

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** The files of which an answer shows lines that may be parts of a secret: `{ "path": …, "text": … }`, in a list. */
function pathsIn(payload: Json): string[] {
  const found = new Set<string>();
  if (!isObject(payload)) return [];
  for (const list of Object.values(payload))
    if (isList(list))
      for (const item of list) {
        if (!isObject(item) || typeof item['path'] !== 'string' || typeof item['text'] !== 'string') continue;
        const lines = [item['text'], ...stringsIn(item['before']), ...stringsIn(item['after'])];
        if (isEnvironmentFile(item['path']) || lines.some((line) => mayBePart.test(line))) found.add(item['path']);
      }
  return [...found];
}

/** A line that was cut, or that is like one of a key. */
const mayBePart = /^…|…$|[A-Za-z0-9+/]{40}|^[\s"'+]*[A-Za-z0-9+/=]{8,}[\s"'\\n,+;]*$/;
