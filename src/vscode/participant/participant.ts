import { visible } from '../../core/base/visible';
import { stackOf } from '../../core/base/errorText';
import { worded } from '../../core/base/sentence';
import * as vscode from 'vscode';
import { type LoopMessage, type LoopView, runAgentLoop } from '../../core/agent/loop';
import { findPlan, planInstructions } from '../../core/agent/planText';
import { offeredTools } from '../../core/profiles/offeredTools';
import type { FrozenPlans } from '../../core/policy/plans/plans';
import { describeCall } from '../../core/policy/plans/plannedCall';
import type { Log } from '../../core/ports/platform';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { ToolRouter } from '../../core/gate/router';
import type { RuntimeAgent } from '../../core/profiles/runtimeAgent';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { ModalQuestions } from '../confirm/modalQuestions';
import { touchedFile } from '../files/namedFile';
import type { KeptCalls } from '../tools/keptCalls';
import { codeSpan, plainMarkdown, proseMarkdown, shownTitle } from '../../core/present/words';
import { abortSignal } from '../cancellation';
import { answerProfile, answerTools, answerWhy } from './answers';
import { attachments, historyMessages, responseText } from './history';
import { loopModel } from './model';
import type { Mode } from '../../core/vocabulary/decision';
import { saidToPerson } from '../saidToPerson';
import type { OpenTour } from '../../core/agent/tour';
import { callOutcome } from '../tools/callOutcome';
import { showInformation } from '../notices';
import { familyOf } from '../../core/vocabulary/access';

/** What a conversation works with. */
export interface ParticipantContext {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly router: ToolRouter;
  readonly plans: FrozenPlans;
  readonly questions: ModalQuestions;
  /** Keeps a call for the link to its explanation, or for the one that takes it back. */
  readonly asked: KeptCalls;
  readonly runtimeAgent: () => RuntimeAgent;
  readonly openTour: () => Promise<OpenTour>;
  readonly log: Log;
}

/** What the editor hands over when the person says something. */
interface Turn {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
}

/** So many rounds, and then the person is asked whether to go on. */
const maxRounds = 25;

/**
 * `@capabilities`: the agent loop with the active profile's runtime agent on the model that the person chose. What
 * fails is said in words.
 */
export async function answer(system: ParticipantContext, turn: Turn): Promise<vscode.ChatResult> {
  try {
    return await respond(system, turn);
  } catch (error) {
    system.log.error(`the participant failed: ${stackOf(error)}`);
    return { errorDetails: { message: saidToPerson(error) } };
  }
}

async function respond(system: ParticipantContext, turn: Turn): Promise<vscode.ChatResult> {
  const { plans, profiles } = system;
  const { request, stream } = turn;
  switch (request.command) {
    case 'profile':
      return answerProfile(profiles, request.prompt, stream);
    case 'tools':
      return answerTools(profiles, stream);
    case 'why':
      return answerWhy(system, request.prompt, stream);
    case 'tour':
      return (await import('../tour/tourChat')).answerTour(system.openTour, stream, turn.token);
    case 'freeze':
      return freeze(system, turn.context, stream);
    case 'run': {
      const plan = plans.active;
      if (!plan) {
        stream.markdown(vscode.l10n.t('There is no frozen plan. Ask for one with /plan, then freeze it with /freeze.'));
        return {};
      }
      const left = plans.allowed(plan).map((line) => `- ${worded(line)}`);
      const prompt = `Carry out the frozen plan "${plan.title}". Only these calls may change anything:\n${left.join('\n')}\n\n${request.prompt}`;
      const { end } = await loop(system, turn, prompt);
      if (end === 'answered') plans.activate(undefined);
      return {};
    }
    case 'plan':
      return endsInPlan((await loop(system, turn, request.prompt, 'plan')).text)
        ? { metadata: { followup: 'freeze' } }
        : {};
    default:
      await loop(system, turn, request.prompt);
      return {};
  }
}

/** Tells whether an answer ends in a plan that can be frozen. */
const endsInPlan = (text: string): boolean => findPlan(text)?.ok === true;

/** Works until the model answers; `text` is what it said last. */
async function loop(
  system: ParticipantContext,
  turn: Turn,
  prompt: string,
  mode?: Mode,
): Promise<{ readonly end: string; readonly text: string }> {
  const { request, context, stream, token } = turn;
  const { profiles, registry, router } = system;
  const agent = system.runtimeAgent();
  const instructions = mode === 'plan' ? `${agent.systemPrompt}\n\n${planInstructions}` : agent.systemPrompt;
  const messages: LoopMessage[] = [
    // Stable messages know users and assistants only; the base prompt stands first.
    ...(instructions.trim() === '' ? [] : [{ role: 'user', text: await router.hideInText(instructions) } as const]),
    ...historyMessages(context),
    { role: 'user', text: `${prompt}${await router.hideInText(attachments(request))}` },
  ];
  const said: string[] = [];
  const result = await runAgentLoop({
    router,
    model: loopModel(request.model),
    view: chatView(system, stream, said),
    tools: () => offeredTools(profiles.active()),
    find: (name) => registry.tool(name),
    messages,
    ...(mode ? { mode } : {}),
    prompt: crypto.randomUUID(),
    maxRounds,
    signal: abortSignal(token),
  });
  if (result.end === 'limit') stream.markdown(`\n\n${vscode.l10n.t('Stopped after {0} rounds.', result.rounds)}`);
  return { end: result.end, text: said.join('') };
}

/** Shows the loop in the chat; what the model says is also kept in `said`. */
function chatView({ asked }: ParticipantContext, stream: vscode.ChatResponseStream, said: string[]): LoopView {
  const touched = new Set<string>();
  const resources = new Map<string, string>();
  let inList = false;
  return {
    text: (text) => {
      // What the model says after a call is a paragraph of its own, not more of the list.
      stream.markdown(inList ? `\n\n${text}` : text);
      said.push(text);
      inList = false;
    },
    started: (tool, call, accesses) => {
      const resource = accesses.find((access) => access.resource !== '')?.resource;
      if (resource !== undefined) resources.set(call.callId, resource);
      stream.progress(visible([tool ? shownTitle(tool.definition) : call.name, resource].filter(Boolean).join(' ')));
      for (const access of accesses) if (familyOf(access.effect) === 'fs') reference(stream, access.resource, touched);
    },
    progress: (message) => stream.progress(visible(message)),
    finished: (call, tool, result) => {
      const resource = resources.get(call.callId);
      const what = [
        codeSpan(tool?.definition.name ?? call.name),
        ...(resource === undefined ? [] : [codeSpan(resource)]),
      ].join(' ');
      const undo =
        result.success && (result.keptChanges ?? 0) > 0 ? asked.linksTo(result.invocationId).undo : undefined;
      const link = result.success ? undo : asked.link(tool?.modelName ?? call.name, call.input);
      const label = result.success ? vscode.l10n.t('Undo') : vscode.l10n.t('Why?');
      const end = link ? ` · [${label}](${link.address})` : '';
      const line = new vscode.MarkdownString(`${inList ? '' : '\n\n'}- ${what} · ${callOutcome(result)}${end}\n`);
      if (link) line.isTrusted = { enabledCommands: [link.command] };
      stream.markdown(line);
      inList = true;
    },
    goOn: async (rounds) => {
      const yes = vscode.l10n.t('Go On');
      const asked = await showInformation(
        vscode.l10n.t('The agent has worked for {0} rounds without finishing.', rounds),
        yes,
        vscode.l10n.t('Stop'),
      );
      return asked === yes;
    },
  };
}

function reference(stream: vscode.ChatResponseStream, path: string, touched: Set<string>): void {
  const file = path === '' || touched.has(path) ? undefined : touchedFile(path);
  if (!file) return;
  touched.add(path);
  stream.reference(file);
}

/** Freezes the plan that the last answer ended with. */
async function freeze(
  { plans, questions }: ParticipantContext,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
): Promise<vscode.ChatResult> {
  const last = context.history.filter((turn) => turn instanceof vscode.ChatResponseTurn).at(-1);
  const found = last ? findPlan(responseText(last)) : undefined;
  if (!found) {
    stream.markdown(vscode.l10n.t('The last answer holds no plan. Ask for one with /plan.'));
    return {};
  }
  if (!found.ok) {
    stream.markdown(
      `${vscode.l10n.t('The plan cannot be frozen:')}\n${found.problems.map((problem) => `- ${proseMarkdown(worded(problem.said, vscode.l10n.t))}`).join('\n')}`,
    );
    return {};
  }
  const { askAndFreeze } = await import('../governance/freezePlan');
  const hash = await askAndFreeze({ plans, questions }, found);
  const plan = hash === undefined ? undefined : plans.active;
  if (!plan) {
    stream.markdown(vscode.l10n.t('Nothing was frozen.'));
    return {};
  }
  stream.markdown(
    [
      vscode.l10n.t('Frozen: {0} ({1})', plainMarkdown(plan.title), codeSpan(plan.hash.slice(0, 12))),
      ...plan.calls.map(
        (call) =>
          `- ${proseMarkdown(worded(describeCall(call), vscode.l10n.t))}${call.count > 1 ? ` × ${call.count}` : ''}`,
      ),
      '',
      vscode.l10n.t('Until it is carried out, agents may change only what it lists.'),
      plan.isApproved
        ? vscode.l10n.t('None of these calls asks again.')
        : vscode.l10n.t('Each of them asks before it runs.'),
    ].join('\n'),
  );
  return { metadata: { followup: 'run' } };
}

/** What to say next, after a plan and after its freezing. */
export function followups(result: vscode.ChatResult): vscode.ChatFollowup[] {
  switch (result.metadata?.['followup']) {
    case 'freeze':
      return [{ prompt: '', command: 'freeze', label: vscode.l10n.t('Freeze this plan') }];
    case 'run':
      return [{ prompt: '', command: 'run', label: vscode.l10n.t('Carry it out') }];
    default:
      return [];
  }
}
