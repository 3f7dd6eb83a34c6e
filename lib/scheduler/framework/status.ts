import { messageOfError } from '#lib/machinery/error-message.ts';
/** The result of a step: upstream's codes. A plugin that succeeds returns no status at all. */
export type Code = 'Error' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Wait' | 'Skip' | 'Pending';

/** Upstream's Status. Reasons are what users read in events, one a fact. */
export interface Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The plugin of the status; the framework fills it in if the plugin leaves it out. */
  readonly plugin?: string;
}

/** Of plugins and what runs them: undefined is success. */
export type Outcome = Status | undefined;

/** A status with reasons. */
export const newStatus = (code: Code, ...reasons: string[]): Status => ({ code, reasons });

/** The status of a plugin that has nothing to do for the pod. */
export const SKIP: Status = { code: 'Skip', reasons: [] };

/** Whether the pod is refused here, as opposed to a fault of the machinery. */
export const isRejected = (status: Outcome): status is Status =>
  status?.code === 'Unschedulable' || status?.code === 'UnschedulableAndUnresolvable' || status?.code === 'Pending';

/** The reasons of a status as one message. */
export const messageOf = (status: Status): string => status.reasons.join(', ');

/** A fault: what was thrown, or what another status says of one. */
export const errorStatus = (message: string, plugin?: string): Status =>
  plugin === undefined ? newStatus('Error', message) : { code: 'Error', reasons: [message], plugin };

/** The status as one of a plugin. */
export const withPlugin = (status: Status, plugin: string): Status => ({ ...status, plugin });

/** The result of a step; an error that it throws becomes a status with the code Error. */
export function outcomeOf(step: () => Outcome): Outcome {
  try {
    return step();
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

/** The same of a step that writes. */
export async function outcomeOfWrite(step: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}
