import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, parsedJson, stringsIn } from '../../core/base/json';
import type { HookVerdict } from '../../core/gate/hookCall';
import type { HostEvent } from '../../core/hooks/hostEvent';
import { namesIn } from '../folders/quietly';
import { depthIn } from './hookWorkspace';
import { checkPrivate } from './privateFolder';
import { type GateNotice, longestMessage } from './gateProtocol';

/** The editors of this user that run now, as far as one call has to do with them. */
export class AskedEditors {
  readonly #folder: string;
  readonly #msLeft: () => number;
  #notices: readonly GateNotice[] | undefined;
  /** Whether it answered, of each that was asked. */
  readonly #asked = new Map<GateNotice, boolean>();

  /** @param msLeft how long an answer may still take. */
  constructor(folder: string, msLeft: () => number) {
    this.#folder = folder;
    this.#msLeft = msLeft;
  }

  /** True once one has answered. */
  get haveAnswered(): boolean {
    return [...this.#asked.values()].includes(true);
  }

  /** True for a folder that one holds that answered. */
  covers(folder: string): boolean {
    return [...this.#asked].some(([notice, isAnswered]) => isAnswered && depthOf(notice, folder) >= 0);
  }

  /**
   * Asks, of each place, the innermost editor that has its folder open, each editor once; and the same of the places of
   * which these tell. Answers the first denial, else the last answer with all those places. Undefined where there is
   * none to ask: then the hook decides alone. Throws where one took the question and gave no answer in time: nobody
   * knows what it would have said.
   */
  async ask(event: HostEvent, places: readonly string[]): Promise<HookVerdict | undefined> {
    const open = new Set(places);
    const elsewhere = new Set<string>();
    let last: HookVerdict | undefined;
    // What is added meanwhile is visited too.
    for (const place of open)
      for (const notice of this.#holding(place)) {
        const isAnswered = this.#asked.get(notice);
        if (isAnswered === true) break;
        if (isAnswered === false) continue;
        const verdict = await ask(notice, event, this.#msLeft());
        this.#asked.set(notice, verdict !== undefined);
        if (!verdict) continue;
        if (verdict.effect !== 'allow') return verdict;
        for (const one of verdict.elsewhere ?? []) {
          open.add(one);
          elsewhere.add(one);
        }
        last = verdict;
        break;
      }
    return last && { ...last, elsewhere: [...elsewhere] };
  }

  /**
   * The first denial of an editor that has one of the folders open and is not asked for `cwd`: the rules there count,
   * but the call is none of its own. It asks nobody and records nothing but what it denies, and is asked again where
   * the call touches its files. Throws as `ask` does.
   */
  async refusal(event: HostEvent, cwd: string, folders: readonly string[]): Promise<HookVerdict | undefined> {
    const [here] = this.#holding(cwd);
    const silent = new Set<GateNotice>();
    const asked = new Set<GateNotice | undefined>([here]);
    for (const folder of folders)
      for (const notice of this.#holding(folder)) {
        if (asked.has(notice)) break;
        if (silent.has(notice)) continue;
        const verdict = await ask(notice, event, this.#msLeft(), true);
        if (verdict?.effect === 'deny') return verdict;
        (verdict ? asked : silent).add(notice);
        if (verdict) break;
      }
    return undefined;
  }

  /** Those whose folder holds a place, the innermost first. */
  #holding(place: string): readonly GateNotice[] {
    const notices = (this.#notices ??= noticesIn(this.#folder));
    if (notices.length === 0) return [];
    return notices
      .map((notice) => ({ notice, depth: depthOf(notice, place) }))
      .filter(({ depth }) => depth >= 0)
      .sort((a, b) => b.depth - a.depth)
      .map(({ notice }) => notice);
  }
}

const depthOf = ({ folders }: GateNotice, place: string): number =>
  Math.max(...folders.map((one) => depthIn(one, place)), -1);

function noticesIn(folder: string): readonly GateNotice[] {
  const gates = path.join(folder, 'gates');
  const names = namesIn(gates).filter((name) => name.endsWith('.json'));
  if (names.length === 0) return [];
  checkPrivate(gates, true);
  return names.flatMap((name) => readNotice(path.join(gates, name)) ?? []);
}

function readNotice(file: string): GateNotice | undefined {
  try {
    checkPrivate(file, false);
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value) || value['version'] !== 1) return undefined;
    const { pid, socket, token, folders } = value;
    if (typeof pid !== 'number' || typeof socket !== 'string' || typeof token !== 'string') return undefined;
    if (!Array.isArray(folders)) return undefined;
    process.kill(pid, 0);
    return { version: 1, pid, socket, token, folders: folders.filter((one) => typeof one === 'string') };
  } catch {
    return undefined;
  }
}

/** Undefined where nobody listens. */
async function ask(
  notice: GateNotice,
  event: HostEvent,
  limitMs: number,
  isBeside = false,
): Promise<HookVerdict | undefined> {
  const { connect } = await import('node:net');
  if (process.platform !== 'win32') {
    // Swept away: nobody listens there any more.
    if (!existsSync(notice.socket)) return undefined;
    checkPrivate(notice.socket, false);
  }
  return new Promise((resolve, reject) => {
    const socket = connect(notice.socket);
    let isConnected = false;
    let text = '';
    const timer = setTimeout(() => fail('the editor gave no answer in time'), Math.max(50, limitMs));
    const fail = (why: string): void => {
      clearTimeout(timer);
      socket.destroy();
      if (isConnected) reject(new Error(why));
      else resolve(undefined);
    };
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      isConnected = true;
      socket.write(`${JSON.stringify({ token: notice.token, event, isBeside })}\n`);
    });
    socket.on('error', (error) => fail(`the editor could not be asked (${error.message})`));
    socket.on('close', () => fail('the editor closed without an answer'));
    socket.on('data', (data: string) => {
      text += data;
      if (text.length > longestMessage) return fail('the answer of the editor is too long');
      const end = text.indexOf('\n');
      if (end < 0) return;
      const verdict = readVerdict(text.slice(0, end));
      if (!verdict) return fail('the answer of the editor cannot be read');
      clearTimeout(timer);
      socket.removeAllListeners('close');
      socket.destroy();
      resolve(verdict);
    });
  });
}

function readVerdict(line: string): HookVerdict | undefined {
  const value = parsedJson(line);
  const verdict = isObject(value) ? value['verdict'] : undefined;
  if (!isObject(verdict) || typeof verdict['reason'] !== 'string') return undefined;
  const { effect, reason, code, rule, elsewhere } = verdict;
  if (effect !== 'allow' && effect !== 'deny' && effect !== 'ask') return undefined;
  return {
    effect,
    reason,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof rule === 'string' ? { rule } : {}),
    elsewhere: stringsIn(elsewhere),
  };
}
