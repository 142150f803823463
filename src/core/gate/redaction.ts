import type { AuditEvent } from '../audit/event';
import { type Json, ownValue, plainJson, stringsIn } from '../base/json';
import { say } from '../base/sentence';
import type { GateCall } from '../call/gateCall';
import type { ToolPorts } from '../ports/toolPorts';
import type { WorkspacePath } from '../ports/workspacePath';
import { isNamedHost, placesOf, placesRead, redactionSources } from '../secrets/places';
import type { HideOptions, SecretSession } from '../secrets/session';
import type { ShownOnce } from '../secrets/shownOnce';
import { isEnvironmentFile } from '../secrets/texts';
import type { RedactionMode } from '../settings/entrySchemas';
import type { Access } from '../vocabulary/access';
import type { Reason, StepAnswer } from '../vocabulary/decision';
import { secretElsewhere } from '../vocabulary/errors';
import type { ToolResult } from '../vocabulary/toolResult';
import { hideInError, hideInOutcome } from './hiddenOutcome';
import { showInResult } from './shownResult';
import { learnChanged, learnFiles, realPlaces } from './learnFiles';
import type { Progress, Ran } from './progress';

/** The input with the values of its placeholders, and what the person who is asked is told of it. */
export interface PutBackInput {
  readonly input: Json;
  readonly reasons: readonly Reason[];
}

/** An answer with values that a person let the session see, and the placeholders of these. */
interface ShownResult {
  readonly result: ToolResult;
  readonly shown: readonly string[];
}

interface RedactionParts {
  readonly ports: ToolPorts;
  /** With what is known to be secret now. */
  readonly session: (near?: readonly WorkspacePath[]) => Promise<SecretSession>;
  /** The same without a look at whether there is more. */
  readonly known: SecretSession;
  readonly shown: ShownOnce;
}

/** Hides secrets in what the gate answers, and puts them back in what it is asked. Loaded with the first call. */
export class Redaction {
  /** What persons let agents see once. */
  readonly shown: ShownOnce;
  readonly #ports: ToolPorts;
  readonly #session: (near?: readonly WorkspacePath[]) => Promise<SecretSession>;
  readonly #known: SecretSession;

  constructor({ ports, session, known, shown }: RedactionParts) {
    this.shown = shown;
    this.#known = known;
    this.#ports = ports;
    this.#session = session;
  }

  /**
   * Puts the values of placeholders into the input of a call that takes them where they came from. Undefined where
   * there is nothing to put back. Throws a ToolError for a call that would take one elsewhere.
   */
  async putBack(call: GateCall): Promise<PutBackInput | undefined> {
    const session = await this.#session();
    const input = plainJson(call.input);
    const hosts = this.#ports.settings.get('redaction.hosts');
    const isNamed = (kind: string, place: string): boolean => {
      return stringsIn(ownValue(hosts, kind)).some((host) => isNamedHost(host, place));
    };
    const answer = session.putBack(input, this.#placesOf(call), isNamed);
    if (answer.type === 'refused') throw secretElsewhere(call.tool.modelName, answer.placeholder, answer.why);
    if (answer.kinds.length === 0) return undefined;
    const kinds = [...new Set(answer.kinds)].join(', ');
    return { input: answer.value, reasons: [{ said: say('secrets_put_back', kinds), advice: true }] };
  }

  /**
   * A value may itself be a part of the path or address that a call names: what it would touch with the values must be
   * what it touched without them.
   */
  checkPlaces(before: GateCall, after: GateCall): void {
    const known = new Set(this.#placesOf(before));
    const strange = this.#placesOf(after).some((place) => place === undefined || !known.has(place));
    if (strange) throw secretElsewhere(after.tool.modelName, '{{secret:…}}', say('secret_no_place'));
  }

  /** Before a call runs: learns the secrets of what it changes, because its answer may show parts of that. */
  async learnBefore(call: GateCall): Promise<void> {
    if (isForPerson(call) || this.#modeOf(call, call.accesses) === 'off') return;
    await learnChanged({ ports: this.#ports }, call, this.#session);
  }

  /**
   * What hides the secrets in the messages of a running call, where something that it reached wants that; undefined
   * where nobody hears any, or they are theirs.
   */
  async progressHider(call: GateCall, { met }: Progress): Promise<((text: string) => string) | undefined> {
    if (!call.invocation.onProgress || isForPerson(call)) return undefined;
    const session = await this.#session();
    return (text) =>
      this.#modeOf(call, [...call.accesses, ...met]) === 'hide' ? String(session.hide(text, everywhere).value) : text;
  }

  /** Hides the secrets of what a call answers, before it is recorded and handed on. */
  async hide(call: GateCall, progress: Progress, ran: Ran): Promise<Ran> {
    if (isForPerson(call)) return ran;
    const { met } = progress;
    const accesses = met.length > 0 ? [...call.accesses, ...met] : call.accesses;
    const mode = this.#modeOf(call, accesses);
    if (mode === 'off') return ran;
    const session = await this.#session(await filesOf(call));
    const options = this.#optionsOf(call, accesses, mode);
    // What is only told of teaches nothing that would be hidden elsewhere.
    if (mode === 'hide') for (const text of progress.cutFrom ?? []) session.learn(text, options.places, false);
    // The answer to a call within a call goes to code; what reaches the model is the answer to the outer one. Where
    // each value was read is remembered here: the outer one may put together what comes from several places.
    const { parentId } = call.invocation;
    if (parentId !== undefined) {
      session.noteMixed(parentId);
      if ('outcome' in ran) hideInOutcome(session, ran.outcome, options);
      return ran;
    }
    const payload = 'outcome' in ran ? ran.outcome.payload : null;
    const isMixed = session.takeMixed(call.invocationId);
    const gate = { ports: this.#ports };
    const isPart = await learnFiles({ gate, call, session, accesses, payload, places: options.places });
    // A call that touches something got its placeholders put back: one in its answer is a text that stood there.
    const isRead = call.accesses.length > 0 && !isMixed;
    const known = { ...options, isPart: isPart || progress.cutFrom !== undefined, isRead, isMixed };
    if ('outcome' in ran) {
      const { outcome, hidden } = hideInOutcome(session, ran.outcome, known);
      if (hidden.size > 0 && call.actor.type === 'agent') {
        progress.hidden = hidden;
        const from = String(session.hide(accesses[0]?.resource ?? '', everywhere).value).slice(0, 300);
        this.shown.noteHidden(call.actor.id, hidden, from, call.tool.modelName);
      }
      return { outcome };
    }
    return { ...ran, error: hideInError(session, ran.error, known) };
  }

  /** The same in why a call was refused: a rule or a tool may name what was put in the place of a placeholder. */
  async hideInRefusal(call: GateCall | undefined, answer: StepAnswer): Promise<StepAnswer> {
    if (!answer.error || (call && isForPerson(call))) return answer;
    return { ...answer, error: hideInError(await this.#session(), answer.error, everywhere) };
  }

  /** The same in what rules advise beside a result; what a tool warns of is hidden already. */
  async hideInWarnings(call: GateCall, result: ToolResult): Promise<ToolResult> {
    if (!result.success || !result.warnings || isForPerson(call)) return result;
    const session = await this.#session();
    return { ...result, warnings: result.warnings.map((one) => String(session.hide(one, everywhere).value)) };
  }

  /**
   * The answer, already recorded, with the values that a person lets this session see once; undefined where there are
   * none in it.
   */
  async showOnce(call: GateCall, { hidden }: Progress, result: ToolResult): Promise<ShownResult | undefined> {
    if (!result.success || hidden === undefined) return undefined;
    const { actor } = call;
    if (this.shown.allowed(actor.id, hidden).length === 0) return undefined;
    const session = await this.#session();
    // From here to its end without a pause: of two results at once only one shows it.
    const allowed = new Set(this.shown.allowed(actor.id, hidden));
    const { result: filled, shown } = showInResult(session, result, allowed);
    if (shown.size === 0) return undefined;
    for (const one of shown) this.shown.use(actor.id, one);
    return { result: filled, shown: [...shown] };
  }

  /** What reaches a model outside of a call's answer: a prompt, what a server says of its tools. */
  async hideInText(value: Json): Promise<Json> {
    return (await this.#session()).hide(value, everywhere).value;
  }

  /**
   * An event as it is recorded: what a call touched holds the values that were put in the place of its placeholders,
   * and what a call within a call and a person got was not hidden from them.
   */
  hideInEvent(event: AuditEvent): AuditEvent {
    if (!('invocationId' in event)) return event;
    const isInner = event.parentId !== undefined;
    const open = isInner ? ['input', 'payload'] : event.actor.type === 'user' ? ['payload'] : [];
    const changed: Record<string, unknown> = {};
    for (const name of [...recorded, ...open]) {
      const value: unknown = Reflect.get(event, name);
      const hidden = this.#known.hideKnown(value);
      if (hidden !== value) changed[name] = hidden;
    }
    return Object.keys(changed).length === 0 ? event : { ...event, ...changed };
  }

  #placesOf(call: GateCall): readonly (string | undefined)[] {
    return placesOf(call.tool.source, call.accesses, this.#hasManyFolders);
  }

  get #hasManyFolders(): boolean {
    return this.#ports.files.folders().length > 1;
  }

  #optionsOf(call: GateCall, accesses: readonly Access[], mode: RedactionMode): HideOptions {
    const places = placesRead(call.tool.source, accesses, this.#hasManyFolders, call.accesses);
    const files = accesses.filter(({ effect }) => effect === 'fs.read' || effect === 'fs.write');
    return { mode, places, isEnvironment: files.some(({ resource }) => isEnvironmentFile(resource)) };
  }

  /** By all that a call reached: what is looked for most closely counts. */
  #modeOf(call: GateCall, accesses: readonly Access[]): RedactionMode {
    const modes = this.#ports.settings.get('redaction.sources');
    const found = redactionSources(call.tool.source, accesses).map((source) => modes[source]);
    if (found.every((mode) => mode === 'off')) return 'off';
    return found.every((mode) => mode === 'off' || mode === 'mark') ? 'mark' : 'hide';
  }
}

/** The files of the workspace that a call named. */
const filesOf = async (call: GateCall): Promise<readonly WorkspacePath[]> =>
  (await realPlaces(call)).filter(({ files }) => files.labelPrefix === undefined).map(({ path }) => path);

/** The parts of an event that are texts of a call. */
const recorded = ['accesses', 'steps', 'errorMessage', 'said', 'reasons', 'rules', 'stake'];

/** Of no place in particular: a value that has a place gets no other one. */
const everywhere: HideOptions = { mode: 'hide', places: [], isEnvironment: false, isMixed: true };

/** What a person sees who called by hand is theirs. */
const isForPerson = ({ actor, invocation: { surface } }: GateCall): boolean =>
  actor.type === 'user' && (surface === 'palette' || surface === 'tree' || surface === 'cli');
