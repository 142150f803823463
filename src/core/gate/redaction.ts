import type { Json } from '../base/json';
import { isObject } from '../base/json';
import { say } from '../base/sentence';
import type { GateCall } from '../call/gateCall';
import type { ToolPorts } from '../ports/toolPorts';
import { placesOf, redactionSource } from '../secrets/places';
import type { Hidden, HideOptions, RedactionMode, SecretSession } from '../secrets/session';
import { isEnvironmentFile, mentionsPlaceholder } from '../secrets/texts';
import type { Access } from '../vocabulary/access';
import type { Reason } from '../vocabulary/decision';
import { secretElsewhere } from '../vocabulary/errors';
import type { ToolOutcome, ToolPart } from '../vocabulary/toolResult';
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
  const places = placesOf(call.tool.source, accesses, hasManyFolders(gate)).filter((place) => place !== undefined);
  const { parentId } = call.invocation;
  // The answer to a call within a call goes to code; what reaches the model is the answer to the outer one.
  if (parentId !== undefined) {
    session.noteInner(parentId, [...places, ...session.takeInner(call.invocationId)]);
    return ran;
  }
  const files = accesses.filter(({ effect }) => effect === 'fs.read' || effect === 'fs.write');
  const isEnvironment = files.some(({ resource }) => isEnvironmentFile(resource));
  await learnFiles(call, session, places, isEnvironment);
  const options = {
    mode,
    places: [...places, ...session.takeInner(call.invocationId)],
    isEnvironment,
    isPart: isPartial(call.input),
  };
  if ('outcome' in ran) return { outcome: hideInOutcome(session, ran.outcome, options) };
  const { error } = ran;
  const message = session.hide(error.message, options).value;
  const details: Json = error.details === undefined ? null : JSON.parse(JSON.stringify(error.details));
  const shown = session.hide(details, options).value;
  return { ...ran, error: { ...error, message: String(message), ...(isObject(shown) ? { details: shown } : {}) } };
}

function modeOf({ ports }: Redaction, call: GateCall, accesses: readonly Access[]): RedactionMode {
  const mode = ports.settings.get('redaction.sources')[redactionSource(call.tool.source, accesses)];
  return mode === 'off' || mode === 'mark' ? mode : 'hide';
}

/** Read once more for their secrets: of a larger one, only what is shown would be known. In bytes. */
const largestLearnt = 1_000_000;

/** A part of a file may begin or end within a secret, so the secrets of the whole are known before a part is shown. */
async function learnFiles(
  call: GateCall,
  session: SecretSession,
  places: readonly string[],
  isEnvironment: boolean,
): Promise<void> {
  if (!isPartial(call.input)) return;
  for (const { files, path } of call.resolved.values()) {
    try {
      const { real } = await path;
      const stat = await files.stat(real);
      if (stat?.type !== 'file' || stat.size > largestLearnt) continue;
      const file = await files.open(real);
      try {
        const text = new TextDecoder().decode(await file.read(0, stat.size));
        session.learn(text, places, isEnvironment);
      } finally {
        await file.close();
      }
    } catch {
      // What cannot be read has not been shown either.
    }
  }
}

const parts: readonly string[] = ['start_line', 'end_line', 'head', 'tail', 'offset', 'length', 'max_bytes'];
const isPartial = (input: unknown): boolean => isObject(input) && parts.some((name) => input[name] !== undefined);

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
  const warnings = (outcome.warnings ?? []).map(text);
  if (hidden.size > 0)
    warnings.push(
      `${hidden.size === 1 ? '1 secret is' : `${hidden.size} secrets are`} hidden as {{secret:…}}; keep the placeholders as they stand: where they came from, the values are put back`,
    );
  if (marked.size > 0) warnings.push(`this may hold secrets: ${[...marked].join(', ')}`);
  return { ...outcome, payload, ...(pieces ? { parts: pieces } : {}), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** Bytes stay as they are, because they are no text. */
function hidePart(part: ToolPart, text: (value: string) => string): ToolPart {
  switch (part.type) {
    case 'media':
    case 'blob':
      return part;
    case 'text':
      return { ...part, text: text(part.text) };
    case 'resource':
      return { ...part, resource: { ...part.resource, uri: text(part.resource.uri), text: text(part.resource.text) } };
    case 'link': {
      const { link } = part;
      const more = link.description === undefined ? {} : { description: text(link.description) };
      return { ...part, link: { ...link, uri: text(link.uri), name: text(link.name), ...more } };
    }
  }
}
