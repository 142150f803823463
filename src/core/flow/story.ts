import { textsIn } from '../base/json';
import { foreignText } from '../base/foreignWords';
import { linked, say, type Sentence } from '../base/sentence';
import type { FlowSource } from '../vocabulary/flow';

const mostTold = 2;

/** What was read and from where, in words. */
export function sourceSaid({ kind, resource, tool, through }: FlowSource): Sentence {
  const what = say(`flow_${kind}`, foreignText(resource));
  if (through === undefined) return say('flow_source', what, tool);
  const kept = through === 'notes' ? say('flow_notes') : through === 'todos' ? say('flow_todos') : foreignText(through);
  return say('flow_source_through', what, tool, kept);
}

/** Some of many, and how many more there are. */
function sourcesSaid(sources: readonly FlowSource[]): Sentence {
  if (sources.length === 0) return say('nothing');
  const told = linked('flow_two', sources.slice(0, mostTold).map(sourceSaid));
  return sources.length > mostTold ? say('and_more', told, sources.length - mostTold) : told;
}

/** What was read, who spoke, where it would go and what would be sent. */
export function storySaid(
  facts: { readonly private: readonly FlowSource[]; readonly untrusted: readonly FlowSource[] },
  to: string,
  input: unknown,
): Sentence {
  const [what, where] = [sourcesSaid(facts.private), foreignText(to)];
  const sent = sentSaid(input);
  if (facts.untrusted.length === 0) return say('flow_story_alone', what, where, sent);
  return say('flow_story', what, sourcesSaid(facts.untrusted), where, sent);
}

/** The longest texts of the input, which is what carries most. */
function sentSaid(input: unknown): Sentence {
  const texts = [...new Set(textsIn(input))].filter((text) => text !== '').sort((a, b) => b.length - a.length);
  const told = texts.slice(0, mostTold).map((text) => say('content', foreignText(text)));
  return told.length === 0 ? say('nothing') : linked('flow_two', told);
}
