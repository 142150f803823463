import type { GateCall, Invocation } from '../../call/gateCall';
import type { RegisteredTool } from '../../registry/registry';

/** What is asked about the tools that sketches name. */
export interface SketchWorld {
  /** The tool of an id, name or alias. */
  tool(reference: string): RegisteredTool | undefined;
  /** The call as rules see it, whatever is on; throws where its input can never work. */
  describe(invocation: Invocation): Promise<GateCall | undefined>;
}

/** A world without tools: sketches say everything themselves. */
export const noTools: SketchWorld = { tool: () => undefined, describe: async () => undefined };
