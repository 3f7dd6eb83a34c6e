import { messageOfError } from '#lib/machinery/error-message.ts';
/** The result codes of a step: upstream's codes. A plugin that succeeds returns no status. */
export type Code = 'Error' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Wait' | 'Skip' | 'Pending';

/** Upstream's Status. Each reason is one fact, and users see the reasons in events. */
export interface Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The plugin that returned the status. The framework fills it in if absent. */
  readonly plugin?: string;
}

/** The outcome of plugins and the framework. Undefined is success. */
export type Outcome = Status | undefined;

/** A status with reasons. */
export const newStatus = (code: Code, ...reasons: string[]): Status => ({ code, reasons });

/** The status of a plugin that has nothing to do for the pod. */
export const SKIP: Status = { code: 'Skip', reasons: [] };

/** Whether the status refuses the pod, as opposed to an internal error. */
export const isRejected = (status: Outcome): status is Status =>
  status?.code === 'Unschedulable' || status?.code === 'UnschedulableAndUnresolvable' || status?.code === 'Pending';

/** The reasons of a status as one message. */
export const messageOf = (status: Status): string => status.reasons.join(', ');

/** An error status with the message of a thrown error or another status. */
export const errorStatus = (message: string, plugin?: string): Status =>
  plugin === undefined ? newStatus('Error', message) : { code: 'Error', reasons: [message], plugin };

/** The status with its plugin set. */
export const withPlugin = (status: Status, plugin: string): Status => ({ ...status, plugin });

/** Runs a step. Converts an error that it throws into a status with the code Error. */
export function outcomeOf(step: () => Outcome): Outcome {
  try {
    return step();
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

/** The asynchronous form of `outcomeOf`, for steps that write. */
export async function outcomeOfWrite(step: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}
