import type { AuditReader } from '../audit/reader';
import { visible } from '../base/visible';
import type { ToolRouter } from '../gate/router';
import { offeredTools } from '../profiles/offeredTools';
import type { ProfileStore } from '../profiles/profileStore';
import type { CapabilityRegistry } from '../registry/registry';
import { resultText } from '../vocabulary/toolResult';
import { type LoopView, runAgentLoop } from './loop';
import { tourModel } from './tourModel';
import type { TourStep } from './tourSteps';

/** The system that the tour is played on. */
interface TourSystem {
  readonly router: ToolRouter;
  readonly registry: Pick<CapabilityRegistry, 'tool'>;
  readonly profiles: Pick<ProfileStore, 'active'>;
}

/** A system of its own for the tour. */
export interface OpenTour extends TourSystem {
  /** The folder of its project, as a path of this machine. */
  readonly folder: string;
  /** The address of its page. */
  readonly site: string;
  /** Its own record. */
  readonly record: AuditReader;
  /** Ends it; its files go. */
  close(): Promise<void>;
}

/** What happened in a step, in its order. */
export type TourEvent =
  | { readonly type: 'said'; readonly text: string }
  | {
      readonly type: 'called';
      readonly tool: string;
      /** The arguments as JSON. */
      readonly input: string;
      readonly success: boolean;
      /** The code of the error of a call that did not run or failed. */
      readonly code?: string;
      /** What the model reads of it. */
      readonly text: string;
      readonly durationMs: number;
    };

/** A script asks for no more than it holds. */
const mostRounds = 10;

/** Plays one step with the agent loop and answers what happened; `view` is told while it happens. */
export async function playTourStep(
  { router, registry, profiles }: TourSystem,
  step: TourStep,
  signal: AbortSignal,
  view?: LoopView,
): Promise<readonly TourEvent[]> {
  const events: TourEvent[] = [];
  await runAgentLoop({
    router,
    model: tourModel(step),
    tools: () => offeredTools(profiles.active()),
    find: (name) => registry.tool(name),
    messages: [{ role: 'user', text: step.prompt }],
    maxRounds: mostRounds,
    signal,
    view: {
      text(text) {
        events.push({ type: 'said', text });
        view?.text(text);
      },
      started: (tool, call, accesses) => view?.started(tool, call, accesses),
      progress: (message) => view?.progress(message),
      finished(call, tool, result) {
        events.push({
          type: 'called',
          tool: tool?.definition.name ?? call.name,
          input: JSON.stringify(call.input),
          success: result.success,
          ...(result.success ? {} : { code: result.error.code }),
          text: visible(resultText(result, tool?.definition.contentField)),
          durationMs: result.durationMs,
        });
        view?.finished(call, tool, result);
      },
      goOn: async () => false,
    },
  });
  return events;
}
