import { newStatus, type Status } from '../../status.ts';

/** The error status of a step that cannot find the state of the preceding step. */
export const missingState = ({ name }: { readonly name: string }): Status =>
  newStatus('Error', `error reading "${name}" from cycleState: not found`);
