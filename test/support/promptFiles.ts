import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../src/core/base/json';
import type { Problem } from '../../src/core/base/problem';
import { openSystem, type SystemOptions } from './system';

/** Stands in texts that may be read or not, as a test has it. */
export const canary = 'CANARY-7f3a';

/** Stands in a file beside the workspace and may never be read. */
export const secret = 'OPENSSH-PRIVATE-KEY-9c1e';

type System = Awaited<ReturnType<typeof openSystem>>;

/** A profile of the user's own, so that what is tested is the file and not the workspace's settings. */
export const own = (file: string, more: JsonObject = {}): Record<string, unknown> => ({
  profiles: { default: { systemPromptFile: file, capabilities: ['file_system', 'math'], ...more } },
});

/** Makes links and other things that a text cannot say; `outside` lies beside the workspace. */
export type Prepare = (at: (name: string) => string, outside: (name: string) => string) => void;

/** Opens a workspace with a folder beside it that holds a secret. */
export async function open(
  options: SystemOptions,
  prepare?: Prepare,
): Promise<System & { settle(): Promise<void>; outside: string }> {
  const system = await openSystem(options);
  const outside = `${system.folder}-outside`;
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'id_rsa'), secret);
  prepare?.(
    (name) => path.join(system.folder, name),
    (name) => path.join(outside, name),
  );
  return {
    ...system,
    outside,
    settle: async () => {
      system.core.agents.runtimeAgent();
      await system.core.agents.prompts.settled();
    },
    dispose: () => {
      rmSync(outside, { recursive: true, force: true });
      system.dispose();
    },
  };
}

/** Opens a workspace whose profile names a file, and answers what the model would read and what the person is told. */
export async function look(
  file: string,
  options: SystemOptions = {},
  prepare?: Prepare,
  accept = true,
): Promise<{ readonly prompt: string; readonly told: readonly Problem[]; readonly asked: string | undefined }> {
  // The files are prepared before anybody asks for them: the workspace is opened with another profile.
  const system = await open({ ...options, user: {} }, prepare);
  try {
    system.write({ user: { ...options.user, ...own(file) } });
    await system.settle();
    const pending = system.core.agents.prompts.pending(system.core.tools.profiles.active().profile);
    if (pending && accept) await system.core.agents.prompts.accept(pending.hash);
    await system.settle();
    const agent = system.core.agents.runtimeAgent();
    return {
      prompt: agent.systemPrompt,
      told: agent.problems.filter(({ code }) => code.startsWith('prompt_')),
      asked: pending?.text,
    };
  } finally {
    system.dispose();
  }
}

/** What a person is told, as codes with what is at fault. */
export const codes = (told: readonly Problem[]): readonly string[] =>
  told.map(({ code, said }) => {
    const fault = said?.args[2];
    return typeof fault === 'object' && 'code' in fault ? `${code}:${fault.code.replace('prompt_', '')}` : code;
  });
