import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { type OpenTour, playTourStep } from '../../core/agent/tour';
import { tourSteps } from '../../core/agent/tourSteps';
import type { LoopView } from '../../core/agent/loop';
import { codeSpan, proseMarkdown, shownTitle } from '../../core/present/words';
import { commandId } from '../manifest/commands/commandId';
import { callOutcome } from '../tools/callOutcome';
import { abortSignal } from '../cancellation';
import { tourRecord } from './tourRecord';

/** `/tour`: plays the whole tour in the chat. The chosen model is not asked. */
export async function answerTour(
  open: () => Promise<OpenTour>,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const tour = await open();
  try {
    stream.markdown(
      vscode.l10n.t(
        'No language model takes part: a script plays the agent. The gate, its rules, the files, the page, the question and the record are real, in a folder of their own that goes with this answer.',
      ),
    );
    for (const step of tourSteps(vscode.l10n.t, tour.site)) {
      if (token.isCancellationRequested) return {};
      stream.markdown(`\n\n### ${step.title}\n\n> ${step.prompt}\n\n`);
      await playTourStep(tour, step, abortSignal(token), chatView(stream));
      stream.markdown(`\n\n*${step.note}*\n`);
    }
    const { rows, count, isWhole } = await tourRecord(tour.record, vscode.l10n.t);
    const lines = rows.map(
      ({ tool, what, said }) => `- ${codeSpan(tool)} ${proseMarkdown(what)} · ${proseMarkdown(said)}`,
    );
    const checked = isWhole
      ? vscode.l10n.t('All {0} records were verified: none was changed or taken out.', count)
      : vscode.l10n.t('The record does not verify.');
    stream.markdown(`\n\n### ${vscode.l10n.t('The record')}\n\n${lines.join('\n')}\n\n${checked}\n`);
    stream.button({ command: commandId('playTour'), title: vscode.l10n.t('Play It Step by Step') });
    return {};
  } finally {
    await tour.close();
  }
}

function chatView(stream: vscode.ChatResponseStream): LoopView {
  return {
    text: (text) => stream.markdown(`\n\n${text}\n\n`),
    started: (tool, call) => stream.progress(visible(tool ? shownTitle(tool.definition) : call.name)),
    progress: (message) => stream.progress(visible(message)),
    finished: (call, tool, result) =>
      stream.markdown(
        `- ${codeSpan(tool?.definition.name ?? call.name)} ${codeSpan(JSON.stringify(call.input))} · ${callOutcome(result)}\n`,
      ),
    goOn: async () => false,
  };
}
