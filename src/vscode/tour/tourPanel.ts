import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/lifecycle';
import { type OpenTour, playTourStep, type TourEvent } from '../../core/agent/tour';
import { type TourStep, tourSteps } from '../../core/agent/tourSteps';
import type { Crypto } from '../../core/ports/platform';
import { type TourButton, tourHtml, type TourPage } from '../../core/present/tourHtml';
import { commandId } from '../manifest/commands/commandId';
import { tourRecord } from './tourRecord';

interface TourPanelContext {
  readonly open: () => Promise<OpenTour>;
  readonly crypto: Pick<Crypto, 'randomId'>;
}

/** One tour that is open. */
interface Playing {
  readonly tour: OpenTour;
  readonly steps: readonly TourStep[];
  readonly stop: AbortController;
  readonly played: (readonly TourEvent[])[];
  record?: TourPage['record'];
  isPlaying: boolean;
}

/** The page of the tour: one for the window. It runs no script; its buttons are commands. */
export class TourPanel implements Disposable {
  readonly #context: TourPanelContext;
  #panel: vscode.WebviewPanel | undefined;
  #playing: Promise<Playing> | undefined;

  constructor(context: TourPanelContext) {
    this.#context = context;
  }

  /** Opens the page, or plays on where one of its buttons says so. */
  async run(what: unknown): Promise<void> {
    if (what === 'again') await this.#end();
    const playing = await this.#opened();
    if (what === 'next') await this.#play(playing, 1);
    else if (what === 'all') await this.#play(playing, playing.steps.length);
    else this.#draw(playing);
    this.#panel?.reveal(undefined, false);
  }

  async #opened(): Promise<Playing> {
    this.#playing ??= this.#context.open().then((tour) => ({
      tour,
      steps: tourSteps(vscode.l10n.t, tour.site),
      stop: new AbortController(),
      played: [],
      isPlaying: false,
    }));
    const opening = this.#playing;
    // What could not be opened is tried again with the next click.
    opening.catch(() => (this.#playing = undefined));
    if (!this.#panel) {
      const enabled: readonly string[] = [commandId('playTour'), commandId('withoutModel')];
      this.#panel = vscode.window.createWebviewPanel(
        'agentCapabilities.tour',
        vscode.l10n.t('Tour of Agent Capabilities'),
        vscode.ViewColumn.Active,
        { enableScripts: false, enableCommandUris: enabled, localResourceRoots: [] },
      );
      this.#panel.onDidDispose(() => {
        this.#panel = undefined;
        void this.#end();
      });
    }
    return opening;
  }

  /** Plays steps that were not played yet, at most so many, and after the last one reads the record. */
  async #play(playing: Playing, most: number): Promise<void> {
    const { tour, steps, played, stop } = playing;
    if (playing.isPlaying || playing.record) return;
    playing.isPlaying = true;
    const isOver = played.length === steps.length;
    try {
      for (const step of steps.slice(played.length, played.length + most)) {
        this.#draw(playing);
        const events = await playTourStep(tour, step, stop.signal);
        if (stop.signal.aborted) return;
        played.push(events);
      }
      // Playing to the end shows the record; step by step it is a step of its own.
      if (isOver || (played.length === steps.length && most > 1))
        playing.record = await tourRecord(tour.record, vscode.l10n.t);
    } finally {
      playing.isPlaying = false;
    }
    this.#draw(playing);
  }

  #draw(playing: Playing): void {
    if (!this.#panel) return;
    const { steps, played, isPlaying, record, tour } = playing;
    const address = (what: TourButton): string =>
      what === 'withoutModel'
        ? `command:${commandId('withoutModel')}`
        : `command:${commandId('playTour')}?${encodeURIComponent(JSON.stringify([what]))}`;
    const page = { steps, played, isPlaying, folder: tour.folder, ...(record ? { record } : {}) };
    this.#panel.webview.html = tourHtml(page, {
      language: vscode.env.language,
      nonce: this.#context.crypto.randomId().replaceAll('-', ''),
      t: vscode.l10n.t,
      address,
    });
  }

  async #end(): Promise<void> {
    const opening = this.#playing;
    this.#playing = undefined;
    const playing = await opening?.catch(() => undefined);
    playing?.stop.abort();
    await playing?.tour.close();
  }

  dispose(): void {
    this.#panel?.dispose();
    void this.#end();
  }
}
