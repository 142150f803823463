import variant from '@jitl/quickjs-singlefile-cjs-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { Json } from '../../core/base/json';
import type { SandboxHost, SandboxLimits, SandboxOutcome, SandboxProgram } from '../../core/ports/sandbox';
import { prelude } from './prelude';
import type { SandboxDetails, SandboxFault } from './protocol';
import { messageOf } from '../../core/base/errorText';

/** What was thrown, told apart by its name and message where it is an error. */
interface Thrown {
  readonly name: string;
  readonly message: string;
  /** How it is told. */
  readonly text: string;
  /** The first lines of its stack; empty where there is none. */
  readonly place: string;
  readonly isNull?: boolean;
}

const undescribed: Thrown = { name: '', message: '', text: 'an error that cannot be described', place: '' };

/** A failure inside the sandbox; its message is for the model. */
export class SandboxFailure extends Error {
  readonly code: SandboxFault;
  readonly details: SandboxDetails | undefined;

  constructor(code: SandboxFault, message: string, details?: SandboxDetails) {
    super(message);
    this.name = 'SandboxFailure';
    this.code = code;
    this.details = details;
  }
}

type WasmMemory = NonNullable<NonNullable<Parameters<typeof newVariant>[1]>['wasmMemory']>;
// Node has it; the types of Node name its types only.
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => WasmMemory;
};

/** The interpreter that served last; it may serve again where the memory that a program may have is the same. */
let loaded: { readonly memoryMb: number; readonly engine: Promise<QuickJSWASMModule> } | undefined;
/** What the interpreter needs for itself, in pages of 64 KB. */
const ownPages = 256;

/**
 * Makes an interpreter whose WebAssembly memory cannot grow beyond the limit. QuickJS's own limit does not count the
 * size of what it allocates in this build, so the limit is the memory's.
 */
function engineFor(memoryMb: number): Promise<QuickJSWASMModule> {
  if (loaded?.memoryMb !== memoryMb) {
    const wasmMemory = new WebAssembly.Memory({ initial: ownPages, maximum: ownPages + memoryMb * 16 });
    loaded = { memoryMb, engine: newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory })) };
  }
  return loaded.engine;
}

/** QuickJS's `JS_EVAL_FLAG_ASYNC`, which the library's options do not name. */
const scriptThatAwaits = 1 << 7;
/** QuickJS's `JS_EVAL_FLAG_COMPILE_ONLY`. */
const compileOnly = 1 << 5;

/** So begins a line of an ES module, and maybe one of a text within a script. */
const looksLikeModule = /^\s*(?:import\b(?!\s*\()|export\b)/m;

const maxStackBytes = 256 * 1024;
const mostHostCalls = 1000;
/** The arguments of one call of the host, as JSON. */
const mostHostCharacters = 8_000_000;

/** Removes the types of TypeScript; positions stay. Decorators and JSX are not understood. */
async function stripTypes(code: string, fileName: string): Promise<string> {
  const { transform } = await import('sucrase');
  try {
    return transform(code, { transforms: ['typescript'], disableESTransforms: true, filePath: fileName }).code;
  } catch (error) {
    throw new SandboxFailure('sandbox_error', `\`${fileName}\` is not valid TypeScript: ${messageOf(error)}`);
  }
}

/**
 * Runs one program in an interpreter made for it and thrown away afterwards. Time is watched by the interpreter itself;
 * the thread around it is ended by its owner where even that is not enough.
 * @param began is called when the time of the program begins to run.
 */
export async function runProgram(
  program: SandboxProgram,
  limits: SandboxLimits,
  host: SandboxHost,
  began: () => void,
): Promise<SandboxOutcome> {
  const code = program.language === 'typescript' ? await stripTypes(program.code, program.fileName) : program.code;
  const run = new Run(await engineFor(Math.ceil(limits.memoryMb)), program, limits, host);
  began();
  try {
    return await run.outcome(code);
  } finally {
    try {
      run.close();
    } catch {
      // An interpreter that cannot be taken apart must not serve again; the next run gets a new one.
      loaded = undefined;
    }
  }
}

class Run {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #program: SandboxProgram;
  readonly #limits: SandboxLimits;
  readonly #host: SandboxHost;
  readonly #deadline: number;
  readonly #handles: QuickJSHandle[] = [];
  readonly #open = new Set<QuickJSDeferredPromise>();
  #output = '';
  #outputCut = false;
  #pending = 0;
  #calls = 0;
  #wake: () => void = () => undefined;
  #closed = false;

  constructor(quickjs: QuickJSWASMModule, program: SandboxProgram, limits: SandboxLimits, host: SandboxHost) {
    this.#program = program;
    this.#limits = limits;
    this.#host = host;
    this.#deadline = performance.now() + limits.timeoutMs;
    this.#runtime = quickjs.newRuntime();
    this.#runtime.setMaxStackSize(maxStackBytes);
    this.#runtime.setInterruptHandler(() => performance.now() > this.#deadline);
    this.#runtime.setModuleLoader((name) => ({
      error: new Error(
        `modules cannot be imported in the sandbox (\`${name.slice(0, 80)}\`); the file must stand alone`,
      ),
    }));
    this.#context = this.#runtime.newContext();
  }

  async outcome(code: string): Promise<SandboxOutcome> {
    const tools = this.#prepare();
    const settled = await this.#settle(this.#evaluate(code, tools));
    const text = this.#call(tools, 'encode', settled);
    const value = this.#context.typeof(text) === 'string' ? this.#context.getString(text) : undefined;
    if (value !== undefined && value.length > this.#limits.maxOutput)
      throw new SandboxFailure(
        'too_large',
        `the result has ${value.length} characters, more than ${this.#limits.maxOutput}; return less`,
      );
    return {
      value: value === undefined ? undefined : (JSON.parse(value) as Json),
      output: this.#output,
      outputCut: this.#outputCut,
    };
  }

  #keep(handle: QuickJSHandle): QuickJSHandle {
    this.#handles.push(handle);
    return handle;
  }

  #prepare(): QuickJSHandle {
    const vm = this.#context;
    const make = this.#unwrap(vm.evalCode(prelude, 'sandbox', { type: 'global' }));
    const call = this.#keep(
      vm.newFunction('call', (name, args) => this.#hostCall(vm.getString(name), vm.getString(args))),
    );
    const print = this.#keep(vm.newFunction('print', (text) => this.#print(vm.getString(text))));
    const names = this.#unwrap(vm.evalCode(JSON.stringify(this.#program.hostFunctions), 'names', { type: 'global' }));
    const given = this.#keep(vm.newString(JSON.stringify(this.#program.call?.context ?? {})));
    return this.#unwrap(
      vm.callFunction(make, vm.undefined, call, print, names, given, this.#program.call ? vm.false : vm.true),
    );
  }

  #print(text: string): void {
    const room = this.#limits.maxOutput - this.#output.length;
    if (text.length + 1 > room) this.#outputCut = true;
    this.#output += `${text}\n`.slice(0, Math.max(0, room));
  }

  /** A promise for the program, settled when the host has answered. */
  #hostCall(name: string, args: string): QuickJSHandle {
    const vm = this.#context;
    const deferred = vm.newPromise();
    const refuse = (why: string): QuickJSHandle => {
      const refusal = vm.newError(why);
      deferred.reject(refusal);
      refusal.dispose();
      return deferred.handle;
    };
    if (++this.#calls > mostHostCalls) return refuse(`more than ${mostHostCalls} calls of the host`);
    if (args.length > mostHostCharacters)
      return refuse(`the arguments of \`${name.slice(0, 80)}\` have more than ${mostHostCharacters} characters`);
    this.#pending++;
    this.#open.add(deferred);
    const finish = (isError: boolean, make: () => QuickJSHandle): void => {
      if (this.#closed) return;
      this.#pending--;
      this.#open.delete(deferred);
      const value = make();
      if (isError) deferred.reject(value);
      else deferred.resolve(value);
      value.dispose();
      deferred.dispose();
      this.#wake();
    };
    this.#host(name, JSON.parse(args) as Json[]).then(
      (value) => finish(false, () => (value === undefined ? vm.undefined : vm.newString(JSON.stringify(value)))),
      (error: unknown) => finish(true, () => vm.newError(messageOf(error))),
    );
    return deferred.handle;
  }

  /** Evaluates the program and calls its export where one is asked for. */
  #evaluate(code: string, tools: QuickJSHandle): QuickJSHandle {
    const vm = this.#context;
    const { call, fileName } = this.#program;
    if (!call) return this.#script(code, tools);
    const wrapped = `(function(){const module={exports:{}};(function(module,exports,require){${code}\n}).call(undefined,module,module.exports,(name)=>{throw new Error('modules cannot be required in the sandbox ('+name+')')});return module.exports})()`;
    const isModule = looksLikeModule.test(code) && !this.#compiles(wrapped);
    const space = this.#unwrap(
      isModule ? vm.evalCode(code, fileName, { type: 'module' }) : vm.evalCode(wrapped, fileName, { type: 'global' }),
    );
    const name = this.#keep(vm.newString(call.exportName));
    const whole = isModule ? vm.undefined : space;
    const picked = this.#call(tools, 'pick', this.#unwrapNamespace(space), name, whole);
    if (vm.typeof(picked) !== 'function')
      throw new SandboxFailure(
        'sandbox_error',
        `\`${fileName}\` has no function \`${call.exportName}\`; write \`export default async function (input, context) {…}\` or \`module.exports = …\``,
      );
    const args = call.args.map((arg) => {
      const text = JSON.stringify(arg).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
      return this.#unwrap(vm.evalCode(`(${text})`, 'input', { type: 'global' }));
    });
    const context = this.#keep(vm.getProp(tools, 'context'));
    return this.#unwrap(vm.callFunction(picked, vm.undefined, ...args, context));
  }

  /**
   * Evaluates a program as the first form that its text is: nothing of it runs before the form is known, so that an
   * error of its own begins nothing a second time.
   */
  #script(code: string, tools: QuickJSHandle): QuickJSHandle {
    const vm = this.#context;
    const { fileName } = this.#program;
    // Without the word nothing awaits; with it, `await (x)` would be a call of a function in a plain script.
    if (/\bawait\b/.test(code) && this.#compiles(code, scriptThatAwaits)) {
      // The value of a script that awaits at its top comes in a box, so that a promise as its value is told apart.
      return this.#call(tools, 'unbox', this.#unwrap(vm.evalCode(code, fileName, scriptThatAwaits)));
    }
    const isPlain = this.#compiles(code);
    if (!isPlain && looksLikeModule.test(code)) return this.#unwrap(vm.evalCode(code, fileName, { type: 'module' }));
    const returning = `(async () => {${code}\n})()`;
    const returns = !isPlain && /\b(?:await|return)\b/.test(code) && this.#compiles(returning);
    return this.#unwrap(vm.evalCode(returns ? returning : code, fileName, { type: 'global' }));
  }

  /** True where a text is a script; nothing of it runs. */
  #compiles(code: string, flags = 0): boolean {
    const result = this.#context.evalCode(code, this.#program.fileName, flags | compileOnly);
    (result.error ?? result.value).dispose();
    return result.error === undefined;
  }

  /** A module's evaluation answers its namespace, or a promise of it where the module awaits at its top. */
  #unwrapNamespace(space: QuickJSHandle): QuickJSHandle {
    const state = this.#context.getPromiseState(space);
    this.#runtime.executePendingJobs();
    const after = this.#context.getPromiseState(space);
    if (state.type === 'fulfilled' && state.notAPromise) return space;
    if (after.type === 'fulfilled') return this.#keep(after.value);
    if (after.type === 'rejected') throw this.#failure(after.error);
    throw this.#unsettled('a module that waits at its top level is not supported; wait inside the exported function');
  }

  /** A chain of promises whose job the limit cut off looks as if it waited for ever. */
  #unsettled(why: string): SandboxFailure {
    return performance.now() > this.#deadline ? this.#timeout() : new SandboxFailure('sandbox_error', why);
  }

  /** Runs jobs and waits for the host until the value is there. */
  async #settle(handle: QuickJSHandle): Promise<QuickJSHandle> {
    const vm = this.#context;
    for (;;) {
      const jobs = this.#runtime.executePendingJobs();
      if (jobs.error) throw this.#failure(jobs.error);
      const state = vm.getPromiseState(handle);
      if (state.type === 'fulfilled') {
        return state.notAPromise ? handle : this.#keep(state.value);
      }
      if (state.type === 'rejected') throw this.#failure(state.error);
      if (this.#pending === 0) throw this.#unsettled('the code waits for a promise that nothing can settle');
      await this.#nextAnswer();
    }
  }

  #nextAnswer(): Promise<void> {
    return new Promise((resolve, reject) => {
      const left = this.#deadline - performance.now();
      const timer = setTimeout(() => reject(this.#timeout()), Math.max(0, left));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #timeout(): SandboxFailure {
    return new SandboxFailure('timeout', `the code did not finish within ${this.#limits.timeoutMs} ms and was ended`);
  }

  #call(tools: QuickJSHandle, name: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const fn = this.#keep(this.#context.getProp(tools, name));
    return this.#unwrap(this.#context.callFunction(fn, this.#context.undefined, ...args));
  }

  #unwrap(result: {
    readonly error?: QuickJSHandle | undefined;
    readonly value?: QuickJSHandle | undefined;
  }): QuickJSHandle {
    if (result.error) throw this.#failure(result.error);
    if (!result.value) throw new SandboxFailure('sandbox_error', 'the interpreter answered nothing');
    return this.#keep(result.value);
  }

  #describe(error: QuickJSHandle): Thrown {
    const vm = this.#context;
    const read = (key: string): string => {
      const prop = vm.getProp(error, key);
      const text = vm.typeof(prop) === 'string' ? vm.getString(prop) : '';
      prop.dispose();
      return text;
    };
    const thrown = (value: string): Thrown => ({
      ...undescribed,
      text: `thrown: ${value.slice(0, 500)}`,
      isNull: value === 'null',
    });
    if (vm.typeof(error) !== 'object') return thrown(String(vm.dump(error)));
    const [name, message] = [read('name'), read('message')];
    if (name === '' && message === '') return thrown(JSON.stringify(vm.dump(error)) ?? 'an object');
    const stack = read('stack')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.includes('(sandbox'))
      .slice(0, 3)
      .join(' ');
    return { name, message, text: `${name}: ${message.slice(0, 1000)}`, place: stack.slice(0, 300) };
  }

  #failure(error: QuickJSHandle): SandboxFailure {
    let thrown = undescribed;
    try {
      thrown = this.#describe(error);
    } catch {
      // It stays so.
    }
    error.dispose();
    const { name, message, text, place, isNull = false } = thrown;
    if (performance.now() > this.#deadline) return this.#timeout();
    if (name === 'InternalError' && /^(?:out of memory|array buffer allocation)/i.test(message))
      return new SandboxFailure('too_large', `the code needed more than ${this.#limits.memoryMb} MB of memory`);
    // An interpreter without any memory left throws null.
    const hint = isNull ? ` (or it needed more than ${this.#limits.memoryMb} MB of memory)` : '';
    // A model mends its own code by the place; of a module it would only learn where that lies.
    const inText = this.#program.call || place === '' ? '' : ` (${place})`;
    return new SandboxFailure('sandbox_error', `the code failed: ${text}${inText}${hint}`, {
      ...(name === '' ? {} : { thrown: name.slice(0, 100) }),
      ...(this.#program.call && place !== '' ? { place } : {}),
    });
  }

  close(): void {
    this.#closed = true;
    // What the program left behind may be out of order (out of memory, interrupted); the thread is thrown away then.
    for (const deferred of this.#open) deferred.dispose();
    for (const handle of this.#handles.reverse()) if (handle.alive) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }
}
