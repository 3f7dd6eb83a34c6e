import { KUBECTLS, STREAM_KUBECTLS } from '#test/support/clients/kubectl.ts';

const ENDS = ['1.29', '1.37'];

/** The kubectl versions that a run tests: the oldest and the newest, or all from 1.29 to 1.37. */
export const kubectls = (isAll: boolean): typeof KUBECTLS =>
  [...KUBECTLS, ...STREAM_KUBECTLS].filter(({ title }) => (isAll ? title.startsWith('1.') : ENDS.includes(title)));
