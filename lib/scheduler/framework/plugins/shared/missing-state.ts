import { newStatus, type Status } from '../../status.ts';

/** A step that found nothing of the step that comes before it. */
export const missingState = ({ name }: { readonly name: string }): Status =>
  newStatus('Error', `error reading "${name}" from cycleState: not found`);
