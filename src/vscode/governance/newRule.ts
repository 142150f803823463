import * as vscode from 'vscode';
import { saidToPerson } from '../saidToPerson';
import { pathGlob } from '../../core/base/pathGlob';
import { hostGlob } from '../../core/hosts/hostGlob';
import type { DraftDecision, RuleTarget } from '../../core/policy/rules/ruleDraft';
import { oneLine } from '../../core/present/approvalWords';
import { shownTitle } from '../../core/present/words';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import type { RulePlace } from './ruleStore';
import { placesOfRules, type RuleTool, writeRule } from './turnIntoRule';

type About = 'change' | 'outside' | 'read' | 'host' | 'tool';

interface Choice extends vscode.QuickPickItem {
  readonly decision: DraftDecision;
  readonly about: About;
  readonly place: RulePlace;
}

interface Wanted {
  readonly target: RuleTarget;
  readonly tool: RuleTool;
}

/** A rule about paths or hosts is about no tool. */
const noTool: RuleTool = { tool: '', toolName: '', isAgents: true };

/**
 * Makes a rule from nothing: one list says what, about what and where, then the person names the paths, host or tool.
 */
export const newRule: GovernanceCommand<'clock' | 'ownRules' | 'policy' | 'recent' | 'registry' | 'writeText'> = async (
  context,
) => {
  const picked = await vscode.window.showQuickPick(choices(), {
    title: vscode.l10n.t('New rule'),
    placeHolder: vscode.l10n.t('What shall hold for agents from now on?'),
    matchOnDescription: true,
  });
  if (!picked || !('about' in picked)) return undefined;
  const wanted = await askTarget(context, picked.about);
  return wanted && writeRule(context, wanted.tool, { ...picked, target: wanted.target });
};

function choices(): readonly (Choice | vscode.QuickPickItem)[] {
  const deny: Readonly<Record<About, string>> = {
    change: vscode.l10n.t('Deny changing files…'),
    outside: vscode.l10n.t('Deny changing files outside of a folder…'),
    read: vscode.l10n.t('Deny reading files…'),
    host: vscode.l10n.t('Deny contacting a host…'),
    tool: vscode.l10n.t('Deny every call of a tool…'),
  };
  const ask: Readonly<Record<About, string>> = {
    change: vscode.l10n.t('Ask me before changing files…'),
    outside: vscode.l10n.t('Ask me before changing files outside of a folder…'),
    read: vscode.l10n.t('Ask me before reading files…'),
    host: vscode.l10n.t('Ask me before contacting a host…'),
    tool: vscode.l10n.t('Ask me before every call of a tool…'),
  };
  const abouts: readonly About[] = ['change', 'outside', 'read', 'host', 'tool'];
  return placesOfRules(vscode.workspace.workspaceFolders?.[0]?.uri).flatMap(({ place, label, whose }) => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...(['deny', 'ask'] as const).flatMap((decision) =>
      abouts.map((about) => ({
        label: decision === 'deny' ? `$(circle-slash) ${deny[about]}` : `$(question) ${ask[about]}`,
        description: whose,
        ...{ decision, about, place },
      })),
    ),
  ]);
}

async function askTarget({ registry }: Pick<GovernanceContext, 'registry'>, about: About): Promise<Wanted | undefined> {
  switch (about) {
    case 'tool': {
      const items = registry.tools().map(({ id, definition, modelName }) => ({
        label: oneLine(modelName),
        description: oneLine(shownTitle(definition)),
        tool: { tool: id, toolName: modelName, isAgents: true },
      }));
      const picked = await vscode.window.showQuickPick(items, {
        title: vscode.l10n.t('Which tool?'),
        matchOnDescription: true,
      });
      return picked && { target: { type: 'tool' }, tool: picked.tool };
    }
    case 'host': {
      const title = vscode.l10n.t('Which host? * stands for any characters');
      const host = await typed(title, 'example.com', hostGlob);
      return host === undefined ? undefined : { target: { type: 'host', host }, tool: noTool };
    }
    default: {
      const title =
        about === 'outside'
          ? vscode.l10n.t('Outside of which folder? ** stands for any folders')
          : vscode.l10n.t('Which paths? ** stands for any folders');
      const pattern = await typed(title, 'src/**', pathGlob);
      if (pattern === undefined) return undefined;
      const type = about === 'outside' ? 'outside' : 'pattern';
      return { target: { type, changes: about !== 'read', pattern }, tool: noTool };
    }
  }
}

/** Asks for a pattern until it can be read; a folder that is named with its slash means all below it. */
async function typed(title: string, value: string, read: (pattern: string) => unknown): Promise<string | undefined> {
  const meant = (text: string): string => text.trim().replace(/\/$/, '/**');
  const pattern = await vscode.window.showInputBox({
    title,
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (meant(text) === '') return vscode.l10n.t('A pattern is needed');
      try {
        read(meant(text));
        return undefined;
      } catch (error) {
        return saidToPerson(error);
      }
    },
  });
  return pattern === undefined ? undefined : meant(pattern);
}
