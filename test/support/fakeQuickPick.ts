import { EventEmitter } from './fakeTree';

export interface FakeItem {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** A list to choose from, with what a person does in it. */
export class FakeQuickPick {
  readonly #open: (pick: FakeQuickPick | undefined) => void;
  readonly #value = new EventEmitter<string>();
  readonly #accept = new EventEmitter<void>();
  readonly #button = new EventEmitter<unknown>();
  readonly #hide = new EventEmitter<void>();
  readonly #selection = new EventEmitter<readonly FakeItem[]>();
  readonly #itemButton = new EventEmitter<{ readonly item: FakeItem }>();
  title = '';
  placeholder = '';
  value = '';
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  items: readonly FakeItem[] = [];
  selectedItems: readonly FakeItem[] = [];
  activeItems: readonly FakeItem[] = [];
  buttons: readonly unknown[] = [];
  readonly onDidChangeValue = this.#value.event;
  readonly onDidAccept = this.#accept.event;
  readonly onDidTriggerButton = this.#button.event;
  readonly onDidHide = this.#hide.event;
  readonly onDidChangeSelection = this.#selection.event;
  readonly onDidTriggerItemButton = this.#itemButton.event;
  ignoreFocusOut = false;

  constructor(open: (pick: FakeQuickPick | undefined) => void) {
    this.#open = open;
  }

  show(): void {
    this.#open(this);
  }

  hide(): void {
    this.#open(undefined);
    this.#hide.fire();
  }

  dispose(): void {}

  type(text: string): void {
    this.value = text;
    this.#value.fire(text);
  }

  /** Ticks what is not ticked, and the other way round. */
  tick(label: string): void {
    const item = this.items.find((one) => one.label === label);
    if (!item) throw new Error(`the list has no ${label}`);
    const others = this.selectedItems.filter((one) => one !== item);
    this.selectedItems = others.length < this.selectedItems.length ? others : [...others, item];
    this.#selection.fire(this.selectedItems);
  }

  /** Enter, on the first line or on the one with this label. */
  enter(label = this.items[0]?.label): void {
    this.activeItems = this.items.filter((one) => one.label === label);
    this.#accept.fire();
  }

  pressOn(label: string): void {
    const item = this.items.find((one) => one.label === label);
    if (!item) throw new Error(`the list has no ${label}`);
    this.#itemButton.fire({ item });
  }

  press(button = 0): void {
    this.#button.fire(this.buttons[button]);
  }
}
