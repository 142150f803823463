import type { Json } from '../base/json';
import { isObject } from '../base/json';
import { say } from '../base/sentence';
import type { GateCall } from '../call/gateCall';
import type { ToolPorts } from '../ports/toolPorts';
import { placesOf, placesRead, redactionSources } from '../secrets/places';
import type { Hidden, HideOptions, RedactionMode, SecretSession } from '../secrets/session';
import { isEnvironmentFile, mentionsPlaceholder } from '../secrets/texts';
import type { Access } from '../vocabulary/access';
import type { Reason, StepAnswer } from '../vocabulary/decision';
import { secretElsewhere, type ToolErrorData } from '../vocabulary/errors';
import type { ToolMedia, ToolOutcome, ToolPart, ToolResult } from '../vocabulary/toolResult';
import { learnChanged, learnFiles } from './learnFiles';
import type { Progress } from './progress';
import type { Ran } from './records';

interface Redaction {
  readonly ports: ToolPorts;
  /** What is hidden from models; nothing is where it is left out. Loaded with the first call that needs it. */
  readonly secrets?: () => Promise<SecretSession>;
}

/** The input with the values of its placeholders, and what the person who is asked is told of it. */
export interface PutBackInput {
  readonly input: Json;
  readonly reasons: readonly Reason[];
}

/**
 * Puts the values of placeholders into the input of a call that takes them where they came from. Undefined where
 * there is nothing to put back. Throws a ToolError for a call that would take one elsewhere.
 */
export async function putBackSecrets(gate: Redaction, call: GateCall): Promise<PutBackInput | undefined> {
  // What touches nothing keeps the placeholder as it stands: a list of tasks, a note, a call that makes others.
  if (!gate.secrets || call.accesses.length === 0 || !mentionsPlaceholder(call.input)) return undefined;
  const session = await gate.secrets();
  const input: Json = JSON.parse(JSON.stringify(call.input));
  const hosts = gate.ports.settings.get('redaction.hosts');
  const isNamed = (kind: string, place: string): boolean => {
    const named = hosts[kind];
    return Array.isArray(named) && named.some((host) => place === `host ${String(host).toLowerCase()}`);
  };
  const answer = session.putBack(input, placesOfCall(gate, call), isNamed);
  if (answer.type === 'refused') throw secretElsewhere(call.tool.modelName, answer.placeholder, answer.why);
  if (answer.kinds.length === 0) return undefined;
  const kinds = [...new Set(answer.kinds)].join(', ');
  return { input: answer.value, reasons: [{ said: say('secrets_put_back', kinds), advice: true }] };
}

/**
 * A value may itself be a part of the path or address that a call names: what it would touch with the values must be
 * what it touched without them.
 */
export function checkPlaces(gate: Redaction, before: GateCall, after: GateCall): void {
  const known = new Set(placesOfCall(gate, before));
  const strange = placesOfCall(gate, after).some((place) => place === undefined || !known.has(place));
  if (strange) throw secretElsewhere(after.tool.modelName, '{{secret:…}}', say('secret_no_place'));
}

const placesOfCall = (gate: Redaction, call: GateCall): readonly (string | undefined)[] =>
  placesOf(call.tool.source, call.accesses, hasManyFolders(gate));

const hasManyFolders = ({ ports }: Redaction): boolean => ports.files.folders().length > 1;

/** What a person sees who called by hand is theirs. */
const isForPerson = ({ actor, invocation: { surface } }: GateCall): boolean =>
  actor.type === 'user' && (surface === 'palette' || surface === 'tree' || surface === 'cli');

/** Hides the secrets of what a call answers, before it is recorded and handed on. */
export async function hideSecrets(gate: Redaction, call: GateCall, { met }: Progress, ran: Ran): Promise<Ran> {
  if (!gate.secrets || isForPerson(call)) return ran;
  const accesses = met.length > 0 ? [...call.accesses, ...met] : call.accesses;
  const mode = modeOf(gate, call, accesses);
  if (mode === 'off') return ran;
  const session = await gate.secrets();
  const options = optionsOf(gate, call, accesses, mode);
  // The answer to a call within a call goes to code; what reaches the model is the answer to the outer one. Where each
  // value was read is remembered here: the outer one may put together what comes from several places.
  const { parentId } = call.invocation;
  if (parentId !== undefined) {
    session.noteMixed(parentId);
    if ('outcome' in ran) hideInOutcome(session, ran.outcome, options);
    return ran;
  }
  const payload = 'outcome' in ran ? ran.outcome.payload : null;
  const learnt = session.takeMixed(call.invocationId);
  const isPart = await learnFiles({ gate, call, session, accesses, payload, places: options.places });
  const known = { ...options, isPart, isMixed: learnt };
  if ('outcome' in ran) return { outcome: hideInOutcome(session, ran.outcome, known) };
  return { ...ran, error: hideInError(session, ran.error, known) };
}

/** Before a call runs: learns the secrets of what it changes, because its answer may show parts of that. */
export async function learnBefore(gate: Redaction, call: GateCall): Promise<void> {
  if (gate.secrets && !isForPerson(call) && modeOf(gate, call, call.accesses) !== 'off')
    await learnChanged(gate, call, gate.secrets);
}

function optionsOf(gate: Redaction, call: GateCall, accesses: readonly Access[], mode: RedactionMode): HideOptions {
  const places = placesRead(call.tool.source, accesses, hasManyFolders(gate), call.accesses);
  const files = accesses.filter(({ effect }) => effect === 'fs.read' || effect === 'fs.write');
  return { mode, places, isEnvironment: files.some(({ resource }) => isEnvironmentFile(resource)) };
}

/** The same in why a call was refused: a rule or a tool may name what was put in the place of a placeholder. */
export async function hideInRefusal(
  gate: Redaction,
  call: GateCall | undefined,
  answer: StepAnswer,
): Promise<StepAnswer> {
  if (!gate.secrets || !answer.error || (call && isForPerson(call))) return answer;
  const session = await gate.secrets();
  return { ...answer, error: hideInError(session, answer.error, { mode: 'hide', places: [], isEnvironment: false }) };
}

/** The same in what rules advise beside a result; what a tool warns of is hidden already. */
export async function hideInWarnings(gate: Redaction, call: GateCall, result: ToolResult): Promise<ToolResult> {
  if (!result.success || !result.warnings || isForPerson(call)) return result;
  return {
    ...result,
    warnings: await Promise.all(result.warnings.map(async (one) => String(await hideInText(gate, one)))),
  };
}

/** A text that reaches a model outside of a call's answer: a prompt, what a server says of itself. */
export async function hideInText(gate: Redaction, value: Json): Promise<Json> {
  if (!gate.secrets) return value;
  const session = await gate.secrets();
  return session.hide(value, { mode: 'hide', places: [], isEnvironment: false, isMixed: true }).value;
}

function hideInError(session: SecretSession, error: ToolErrorData, options: HideOptions): ToolErrorData {
  const message = session.hide(error.message, options).value;
  const details: Json = error.details === undefined ? null : JSON.parse(JSON.stringify(error.details));
  const shown = session.hide(details, options).value;
  return { ...error, message: String(message), ...(isObject(shown) ? { details: shown } : {}) };
}

/** By all that a call reached: what is looked for most closely counts. */
function modeOf({ ports }: Redaction, call: GateCall, accesses: readonly Access[]): RedactionMode {
  const modes = ports.settings.get('redaction.sources');
  const found = redactionSources(call.tool.source, accesses).map((source) => modes[source]);
  if (found.every((mode) => mode === 'off')) return 'off';
  return found.every((mode) => mode === 'off' || mode === 'mark') ? 'mark' : 'hide';
}

function hideInOutcome(session: SecretSession, outcome: ToolOutcome, options: HideOptions): ToolOutcome {
  const hidden = new Set<string>();
  const marked = new Set<string>();
  const hide = (value: Json): Json => {
    const found: Hidden<Json> = session.hide(value, options);
    for (const one of found.hidden) hidden.add(one);
    for (const one of found.marked) marked.add(one);
    return found.value;
  };
  const text = (value: string): string => String(hide(value));
  const payload = hide(outcome.payload);
  const pieces = outcome.parts?.map((part) => hidePart(part, text));
  const media = outcome.media?.map((one) => (isDrawn(one) ? { ...one, data: hideInBytes(one.data, text) } : one));
  const warnings = (outcome.warnings ?? []).map(text);
  if (hidden.size > 0)
    warnings.push(
      `${hidden.size === 1 ? '1 secret is' : `${hidden.size} secrets are`} hidden as {{secret:…}}; keep the placeholders as they stand: where they came from, the values are put back`,
    );
  if (marked.size > 0) warnings.push(`this may hold secrets: ${[...marked].join(', ')}`);
  const shown = { ...(pieces ? { parts: pieces } : {}), ...(media ? { media } : {}) };
  return { ...outcome, payload, ...shown, ...(warnings.length > 0 ? { warnings } : {}) };
}

/** A picture that is text. */
const isDrawn = ({ mimeType }: ToolMedia): boolean => /svg|xml|text/.test(mimeType);

/** Of bytes, only those that are text. */
function hidePart(part: ToolPart, text: (value: string) => string): ToolPart {
  switch (part.type) {
    case 'media':
      return part;
    case 'blob': {
      const uri = text(part.resource.uri);
      return { ...part, resource: { ...part.resource, uri }, data: hideInBytes(part.data, text) };
    }
    case 'text':
      return { ...part, text: text(part.text) };
    case 'resource':
      return { ...part, resource: { ...part.resource, uri: text(part.resource.uri), text: text(part.resource.text) } };
    case 'link': {
      const { link } = part;
      const description = link.description === undefined ? {} : { description: text(link.description) };
      const title = link.title === undefined ? {} : { title: text(link.title) };
      return { ...part, link: { ...link, uri: text(link.uri), name: text(link.name), ...description, ...title } };
    }
  }
}

/** Bytes in base64: where they are text, a picture drawn by text too, its secrets are hidden. */
function hideInBytes(data: string, text: (value: string) => string): string {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const read = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const shown = text(read);
    if (shown === read) return data;
    return btoa(Array.from(new TextEncoder().encode(shown), (byte) => String.fromCharCode(byte)).join(''));
  } catch {
    // No text.
    return data;
  }
}
