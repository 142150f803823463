import type { LoopMessage, LoopModel } from './loop';
import type { TourStep } from './tourSteps';

/** The script of one step in the place of a language model, for the agent loop. */
export function tourModel(step: TourStep): LoopModel {
  return {
    async *send(messages) {
      const rounds = messages.filter((one): one is Results => one.role === 'results');
      const answers = rounds.at(-1)?.results.map(({ text }) => text) ?? [];
      const { says, calls } = step.rounds[rounds.length] ?? { says: step.ends(answers), calls: [] };
      yield { type: 'text', text: says };
      for (const [at, { tool, input }] of calls.entries())
        yield { type: 'call', call: { callId: `${step.id}-${rounds.length}-${at}`, name: tool, input } };
    },
  };
}

type Results = Extract<LoopMessage, { readonly role: 'results' }>;
