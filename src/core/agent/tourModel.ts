import type { LoopMessage, LoopModel } from './loop';
import type { TourRound, TourStep } from './tourSteps';

/**
 * What the script answers next.
 * @param answered how many of its rounds have been answered by tools.
 * @param answers the texts of the last one's tools.
 */
function tourAnswer(step: TourStep, answered: number, answers: readonly string[]): TourRound {
  return step.rounds[answered] ?? { says: step.ends(answers), calls: [] };
}

/** The script of one step in the place of a language model, for the agent loop. */
export function tourModel(step: TourStep): LoopModel {
  return {
    async *send(messages) {
      const rounds = messages.filter((one): one is Results => one.role === 'results');
      const answers = rounds.at(-1)?.results.map(({ text }) => text) ?? [];
      const { says, calls } = tourAnswer(step, rounds.length, answers);
      yield { type: 'text', text: says };
      for (const [at, { tool, input }] of calls.entries())
        yield { type: 'call', call: { callId: `${step.id}-${rounds.length}-${at}`, name: tool, input } };
    },
  };
}

type Results = Extract<LoopMessage, { readonly role: 'results' }>;
