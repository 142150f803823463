import { messageOf } from '../../base/errorText';
import { defined } from '../../base/json';
import { SaidError, say, type Sentence } from '../../base/sentence';
import { cutEnd } from '../../base/text';
import type { GateCall, Invocation } from '../../call/gateCall';
import type { RegisteredTool } from '../../registry/registry';
import type { CallSketch } from '../../vocabulary/callSketch';
import { isToolError } from '../../vocabulary/errors';
import type { Actor } from '../../vocabulary/toolDefinition';
import type { FlowLabel } from '../../vocabulary/flow';
import { bareNames } from '../../vocabulary/names';
import { accessFacts, noCall, type PolicySubject, type SubjectFlow, subjectOf } from '../rules/subject';
import { plainWayOut, widestWay } from '../rules/wayOut';

/** What is asked about the tools that sketches name. */
export interface SketchWorld {
  /** The tool of an id, name or alias. */
  tool(reference: string): RegisteredTool | undefined;
  /** The call as rules see it, whatever is on; throws where its input can never work. */
  describe(invocation: Invocation): Promise<GateCall | undefined>;
}

/** A world without tools: sketches say everything themselves. */
export const noTools: SketchWorld = { tool: () => undefined, describe: async () => undefined };

/** Who calls where a test or an example says no more than `agent` or `user`. */
export const sketchedActor = (type: Actor['type'] = 'agent'): Actor => ({ type, id: 'policy-test' });

/**
 * The call that a sketch describes, as rules see it. A sketch with `input` and without `accesses` is asked of its tool;
 * throws a SaidError where there is no such tool or its input can never work.
 */
export async function sketchSubject(sketch: CallSketch, world: SketchWorld): Promise<PolicySubject> {
  const { accesses, input } = sketch;
  const named = sketch.tool;
  const tool = named === undefined ? undefined : world.tool(named);
  if (accesses !== undefined || input === undefined || named === undefined) {
    const facts = (accesses ?? []).map((access) => accessFacts(access));
    return withOwnWords(sketch, tool ? { ...ofTool(sketch, tool), accesses: facts } : ofNothing(sketch, facts));
  }
  const call = await describedCall(sketch, named, world);
  return withOwnWords(sketch, subjectOf(call, call.accesses));
}

async function describedCall({ input, actor }: CallSketch, tool: string, world: SketchWorld): Promise<GateCall> {
  let found: GateCall | undefined;
  try {
    found = await world.describe({ tool, input, actor: sketchedActor(actor), surface: 'cli' });
  } catch (error) {
    const said: Sentence | string = isToolError(error) ? error.said : messageOf(error);
    throw new SaidError(typeof said === 'string' ? say('as_it_is', said) : said);
  }
  if (found) return found;
  throw new SaidError(say('sketch_tool_unknown', tool));
}

function ofTool({ actor, input }: CallSketch, tool: RegisteredTool): PolicySubject {
  return subjectOf({ tool, capability: tool.capability, actor: sketchedActor(actor), input: input ?? {} }, []);
}

function ofNothing(sketch: CallSketch, accesses: PolicySubject['accesses']): PolicySubject {
  const { tool } = sketch;
  return {
    ...noCall,
    capabilityId: sketch.capability ?? capabilityOf(tool ?? ''),
    ...(tool === undefined ? {} : { tool: { id: tool, names: [tool, ...bareNames(tool)] } }),
    sideEffects: [...new Set(accesses.map(({ access }) => access.effect))],
    actor: sketch.actor ?? 'agent',
    input: sketch.input ?? {},
    accesses,
  };
}

/** The middle of a tool's id, such as `files` of `mcp:files:read`; empty for a plain name. */
const capabilityOf = (tool: string): string => tool.split(':')[1] ?? '';

/** What the sketch says itself counts in place of what the tool declares. */
function withOwnWords(sketch: CallSketch, subject: PolicySubject): PolicySubject {
  const { riskLevel, costClass, source, sideEffects, requires, capability, labels } = sketch;
  return {
    ...subject,
    ...defined({ capabilityId: capability, riskLevel, costClass, source, sideEffects, requires }),
    isOurs: subject.isOurs === true && (source ?? subject.source) === subject.source,
    ...(labels === undefined ? {} : { flow: sketchedFlow(labels, subject) }),
  };
}

/** A session of which nothing but its labels is known: it followed no link, and its user named no host. */
function sketchedFlow(labels: readonly FlowLabel[], { accesses }: PolicySubject): SubjectFlow {
  return {
    private: labels.includes('private'),
    untrusted: labels.includes('untrusted'),
    wayOut: () => widestWay(accesses.map(({ access }) => plainWayOut(access))),
  };
}

/** A sketch in a few words: `write_file {"path":"a"}`, `mcp:files:read: fs.read a`. */
export function sketchText({ tool, capability, input, accesses }: CallSketch): string {
  const named = tool ?? capability;
  const touched = accesses?.map(({ effect, resource }) => `${effect} ${resource}`).join(', ');
  const given = input === undefined ? '' : JSON.stringify(input);
  const text = [named, touched ?? given]
    .filter((part) => part !== undefined && part !== '')
    .join(touched === undefined ? ' ' : ': ');
  return cutEnd(text, 120);
}
