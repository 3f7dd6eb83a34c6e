import type { Plugin } from '../../interface.ts';

/** Orders pods by priority, then by their time in the queue. */
export const prioritySort = (): Plugin => ({
  name: 'PrioritySort',
  less: (a, b) =>
    a.podInfo.priority > b.podInfo.priority || (a.podInfo.priority === b.podInfo.priority && a.timestamp < b.timestamp),
});
