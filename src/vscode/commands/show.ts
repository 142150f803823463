import * as vscode from 'vscode';
import { toolWords } from '../../core/present/toolRow';
import { codeSpan, plainMarkdown, proseMarkdown, shownName } from '../../core/present/words';
import { summaryWords } from '../../core/present/capabilityRow';
import { namedFile } from '../files/namedFile';
import { rangeOf } from '../files/problemMarks';
import { preview } from '../files/readOnlyText';
import type { CommandHandler } from './context';
import { runCommand } from '../manifest/commands/runCommand';
import { rowsOf } from './rows';
import { profileWords } from '../../core/profiles/shippedProfiles';

export const showRuntimeAgent: CommandHandler<'runtimeAgentPanel'> = (context) => context.runtimeAgentPanel.show();

export const showAuditLog: CommandHandler<'auditChannel'> = (context) => context.auditChannel.show(true);

/** Every capability and tool with its state in the active profile, as a document that can be searched and copied. */
export const listCapabilities: CommandHandler<'profiles' | 'registry' | 'texts'> = async (context) => {
  const profile = context.profiles.active();
  const listed = new Set(profile.entries.map((one) => one.capability));
  const rows = [...listed, ...context.registry.capabilities().filter((capability) => !listed.has(capability))];
  const on = new Set(profile.entries.filter((one) => one.entry.enabled).map((one) => one.capability));
  const lines = [
    `# ${plainMarkdown(vscode.l10n.t('Capabilities in the profile {0}', profileWords(profile.profile, vscode.l10n.t).name))}`,
    '',
  ];
  for (const capability of rows) {
    lines.push(
      `## ${plainMarkdown(shownName(capability))} ${on.has(capability) ? '' : `(${vscode.l10n.t('off')})`}`,
      '',
      proseMarkdown(summaryWords(capability, vscode.l10n.t)),
      '',
    );
    for (const tool of context.registry.toolsOf(capability.id)) {
      const isOn = profile.isToolEnabled(tool);
      const words = toolWords({ tool, enabled: isOn }, { mode: profile.mode, heldBack: false }, vscode.l10n.t);
      lines.push(
        `- ${isOn ? '☑' : '☐'} ${codeSpan(tool.modelName)} · ${words} · ${proseMarkdown(tool.definition.userDescription)}`,
      );
    }
    lines.push('');
  }
  await preview(context.texts, 'Capabilities.md', lines.join('\n'));
};

/**
 * The tooltip of a row as a document, for keyboards and screen readers; of a problem that somebody can act on, what its
 * button does, which no key reaches otherwise, or the place where it stands.
 */
export const openDetails: CommandHandler<'texts' | 'view'> = async (context, ...args) => {
  const row = (await rowsOf(context, args))[0];
  if (!row) return;
  const code = row.kind === 'problem' ? row.problem.code : undefined;
  if (code === 'workspace_restricted') {
    await runCommand('manageTrust');
    return;
  }
  if (code === 'widening_pending' || code === 'active_profile_pending') {
    await runCommand('acceptWidening', row);
    return;
  }
  if (row.kind === 'problem' && row.problem.file !== undefined) {
    const { start } = rangeOf(row.problem);
    await vscode.window.showTextDocument(namedFile(row.problem.file), { selection: new vscode.Range(start, start) });
    return;
  }
  await preview(context.texts, `${row.label.replace(/[^\p{L}\p{N} _-]/gu, '')}.md`, row.tooltip());
};
