import * as vscode from 'vscode';
import { proposal } from '../../core/base/nearest';
import { worded } from '../../core/base/sentence';
import { offeredTools } from '../../core/profiles/offeredTools';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { ToolRouter } from '../../core/gate/router';
import { describeSwitch } from '../../core/present/profileDiff';
import { bareInput } from '../../core/registry/bareInput';
import { reasonWords } from '../../core/vocabulary/reasonWords';
import type { CapabilityRegistry } from '../../core/registry/registry';
import { profileWords } from '../../core/profiles/shippedProfiles';
import { meetingAndRisk } from '../../core/present/toolRow';
import { boldMarkdown, codeSpan, plainMarkdown, proseMarkdown } from '../../core/present/words';

/** `/profile` says which profile holds and which others there are; `/profile reviewer` switches. */
export function answerProfile(
  profiles: ProfileStore,
  wanted: string,
  stream: vscode.ChatResponseStream,
): vscode.ChatResult {
  const before = profiles.active();
  const name = wanted.trim();
  if (name !== '') {
    const all = profiles.profiles();
    const id = all.has(name)
      ? name
      : [...all].find(([, { profile }]) =>
          [profile, profileWords(profile, vscode.l10n.t)].some((one) => one.name.toLowerCase() === name.toLowerCase()),
        )?.[0];
    if (id === undefined) {
      const near = proposal(name, all.keys());
      const end = near === '' ? '' : worded(near, vscode.l10n.t);
      stream.markdown(vscode.l10n.t('There is no profile {0}{1}.', codeSpan(name), end));
      return {};
    }
    profiles.activate(id);
    stream.markdown(
      `${vscode.l10n.t('Now {0}', plainMarkdown(profileWords(profiles.merged.wordsFor(id), vscode.l10n.t).name))}: ${proseMarkdown(describeSwitch(before, profiles.active(), vscode.l10n.t))}`,
    );
    return {};
  }
  // The answer is part of what a model is told in the next turn.
  const lines = [...profiles.profiles()].map(([id, { profile }]) => {
    const said = profiles.merged.wordsFor(id);
    const shown = profileWords({ ...said, id }, vscode.l10n.t);
    // Of a workspace that is not trusted a name is told, and no sentence.
    const description = vscode.workspace.isTrusted || said.description === profile.description ? shown.description : '';
    const active = id === before.id ? ` · ${vscode.l10n.t('active')}` : '';
    return `- ${boldMarkdown(shown.name)} ${codeSpan(said.id)} · ${profile.mode}${active}${description ? `\\\n  ${proseMarkdown(description)}` : ''}`;
  });
  stream.markdown(lines.join('\n'));
  return {};
}

/** `/tools`: what the model is offered now. */
export function answerTools(
  profiles: Pick<ProfileStore, 'active'>,
  stream: vscode.ChatResponseStream,
): vscode.ChatResult {
  const active = profiles.active();
  const lines: string[] = [];
  let capability: string | undefined;
  for (const tool of offeredTools(active)) {
    const { modelName, definition, capability: owner } = tool;
    if (owner.name !== capability) lines.push('', boldMarkdown(owner.name), '');
    capability = owner.name;
    lines.push(
      `- ${codeSpan(modelName)} ${meetingAndRisk(tool, active.mode, vscode.l10n.t)} · ${proseMarkdown(definition.userDescription)}`,
    );
  }
  stream.markdown(lines.length === 0 ? vscode.l10n.t('The active profile offers no tool.') : lines.join('\n'));
  return {};
}

/**
 * `/why read_file .env` or `/why write_file {"path": "a"}`: what every step of the gate would say to an agent's call
 * now.
 */
export async function answerWhy(
  { router, registry }: { readonly router: ToolRouter; readonly registry: Pick<CapabilityRegistry, 'tool'> },
  prompt: string,
  stream: vscode.ChatResponseStream,
): Promise<vscode.ChatResult> {
  const [, name = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(prompt) ?? [];
  if (name === '') {
    stream.markdown(vscode.l10n.t('Name a tool, and its input if you like: {0}', codeSpan('/why read_file .env')));
    return {};
  }
  const read = bareInput(registry.tool(name)?.definition.inputSchema, rest);
  if (!read.ok) {
    stream.markdown(proseMarkdown(worded(read.problem, vscode.l10n.t)));
    return {};
  }
  const preview = await router.preview({
    tool: name,
    input: read.input,
    actor: { type: 'agent', id: 'participant' },
    surface: 'participant',
  });
  const words = {
    pass: vscode.l10n.t('would run'),
    ask: vscode.l10n.t('would ask you'),
    deny: vscode.l10n.t('would be denied'),
  };
  const lines = [`${codeSpan(name)} **${words[preview.effect]}**`, ''];
  const passed = preview.steps.filter((step) => step.effect === 'pass' && step.reasons.length === 0);
  for (const step of preview.steps.filter((one) => !passed.includes(one)))
    lines.push(
      `- ${step.effect === 'deny' ? '⊘' : step.effect === 'ask' ? '?' : '✓'} **${step.step}**: ${proseMarkdown(step.reasons.map((reason) => reasonWords(reason.said, vscode.l10n.t)).join('; '))}`,
    );
  if (passed.length > 0)
    lines.push('', vscode.l10n.t('Nothing to say against it: {0}', passed.map((step) => step.step).join(', ')));
  stream.markdown(lines.join('\n'));
  return {};
}
