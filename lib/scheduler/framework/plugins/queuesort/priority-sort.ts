import type { Plugin } from '../../interface.ts';

/** Who has priority is first, then who came first. */
export const prioritySort = (): Plugin => ({
  name: 'PrioritySort',
  less: (a, b) =>
    a.podInfo.priority > b.podInfo.priority || (a.podInfo.priority === b.podInfo.priority && a.timestamp < b.timestamp),
});
