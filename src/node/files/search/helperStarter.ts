import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Disposable } from '../../../core/base/lifecycle';
import { directStarter, type Program, type ProgramEvents, type ProgramStarter, type RunningProgram } from './programs';
import { FrameReader, type HelperFrame, type HelperRequest } from './spawnProtocol';

export interface HelperOptions {
  /** The machine's path of the helper's bundle (`src/spawnHelper.ts`). */
  readonly script: string;
  /** Whether this process is so large that starting another stops it for long. Default: 400 MB or more. */
  readonly isLarge?: () => boolean;
}

const largeBytes = 400_000_000;
/** A helper that ends so often is not started again. */
const mostFailures = 3;

/**
 * Starts programs from a small helper process. To start a program a process copies the table of all its memory and
 * stands still meanwhile; in an extension host of two gigabytes that takes ten times as long as in a small process. The
 * helper is started after the first program of a large process, when nobody waits for it; until it is there, where the
 * process is small and where it fails, programs are started from here.
 */
export class HelperStarter implements ProgramStarter, Disposable {
  readonly #options: HelperOptions;
  readonly #programs = new Map<number, ProgramEvents>();
  #helper: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #isReady = false;
  #failures = 0;
  #isDisposed = false;
  #nextId = 1;

  constructor(options: HelperOptions) {
    this.#options = options;
  }

  start(program: Program, events: ProgramEvents): RunningProgram {
    if (this.#helper && this.#isReady) return this.#startByHelper(program, events);
    return directStarter.start(program, {
      output: events.output,
      end: (how) => {
        events.end(how);
        this.#launch();
      },
    });
  }

  /** The helper's process id while it runs; for tests. */
  get pid(): number | undefined {
    return this.#isReady ? this.#helper?.pid : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    // It ends what runs, and then itself, when its input ends.
    this.#helper?.stdin.end();
    this.#lost();
  }

  #startByHelper(program: Program, events: ProgramEvents): RunningProgram {
    const id = this.#nextId++;
    this.#programs.set(id, events);
    keepAlive(this.#helper?.stdout, true);
    this.#send({ id, what: 'start', program });
    const tell = (what: 'pause' | 'resume' | 'kill') => (): void => {
      if (this.#programs.has(id)) this.#send({ id, what });
    };
    return { pause: tell('pause'), resume: tell('resume'), kill: tell('kill') };
  }

  #send(request: HelperRequest): void {
    this.#helper?.stdin.write(`${JSON.stringify(request)}\n`);
  }

  #launch(): void {
    const isLarge = this.#options.isLarge ?? (() => process.memoryUsage.rss() >= largeBytes);
    if (this.#helper || this.#isDisposed || this.#failures >= mostFailures || !isLarge()) return;
    const { NODE_OPTIONS: _options, ...environment } = process.env;
    const helper = spawn(process.execPath, [this.#options.script], {
      env: { ...environment, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    // It must not keep this process alive once everything else is done.
    helper.unref();
    this.#helper = helper;
    keepAlive(helper.stdin, false);
    keepAlive(helper.stdout, false);
    const reader = new FrameReader();
    const end = (): void => {
      if (this.#helper !== helper) return;
      this.#failures++;
      this.#lost();
    };
    helper.on('error', end);
    helper.on('exit', end);
    helper.stdin.on('error', end);
    helper.stdout.on('data', (data: Buffer) => {
      try {
        for (const frame of reader.take(data)) this.#take(frame);
      } catch {
        helper.kill('SIGKILL');
      }
    });
  }

  #take(frame: HelperFrame): void {
    if (frame.kind === 'ready') {
      this.#isReady = true;
      return;
    }
    const events = this.#programs.get(frame.id);
    if (frame.kind === 'output') return events?.output(frame.data);
    this.#programs.delete(frame.id);
    if (this.#programs.size === 0) keepAlive(this.#helper?.stdout, false);
    events?.end(frame.how);
  }

  /** What ran there ends as if it had never been started; whoever asked does without. */
  #lost(): void {
    this.#helper = undefined;
    this.#isReady = false;
    const programs = [...this.#programs.values()];
    this.#programs.clear();
    for (const events of programs) events.end({ started: false });
  }
}

/** Says whether a pipe keeps this process alive; it does as long as something is awaited from it. */
function keepAlive(pipe: object | undefined, keep: boolean): void {
  const name = keep ? 'ref' : 'unref';
  const change: unknown = pipe && Reflect.get(pipe, name);
  if (typeof change === 'function') change.call(pipe);
}
