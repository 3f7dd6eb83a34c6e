import { messageIn, type ReconcileMessage } from './delivery.ts';

/** A dead-lettered message, hidden from other receivers. */
export interface DeadMessage {
  readonly body: string;
  remove(): Promise<void>;
}

/** The ports for redriving dead letters. */
export interface RedrivePorts {
  /** Receives some of the messages. Empty if there are none. */
  receive(): Promise<readonly DeadMessage[]>;
  send(message: ReconcileMessage): Promise<void>;
  nonce(): string;
  /** Only messages of this reconciler. Default all. */
  readonly reconciler?: string;
}

/** The result of a redrive. */
export interface Redriven {
  readonly sent: number;
  /** The number of messages that stay in the queue: those of other reconcilers, and invalid ones. */
  readonly left: number;
}

/** Resends dead letters as first attempts. Removes each one after it is sent. Rethrows errors of the ports. */
export async function redrive({ receive, send, nonce, reconciler }: RedrivePorts): Promise<Redriven> {
  let [sent, left] = [0, 0];
  for (let batch = await receive(); batch.length > 0; batch = await receive()) {
    for (const { body, remove } of batch) {
      const message = messageIn(body);
      if (message === undefined || (reconciler ?? message.reconciler) !== message.reconciler) {
        left++;
        continue;
      }
      const { asked: _, ...anew } = message;
      await send({ ...anew, attempt: 1, later: nonce() });
      await remove();
      sent++;
    }
  }
  return { sent, left };
}
