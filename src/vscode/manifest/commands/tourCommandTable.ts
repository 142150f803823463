import { type CommandTable, menusOf } from './commandSpec';
import { viewIds } from './viewIds';

const { title, row } = menusOf(viewIds.capabilities);

/** The commands for who has no language model yet. */
export const tourCommandTable = {
  playTour: {
    title: 'Play the Tour',
    icon: 'play-circle',
    menus: [title('6_help@1'), row('group.noModel', 'inline@1')],
  },
  withoutModel: {
    title: 'What Works Without a Model',
    icon: 'question',
    menus: [title('6_help@2'), row('group.noModel', 'inline@2')],
  },
} as const satisfies CommandTable;
