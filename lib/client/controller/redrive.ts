import { messageIn, type ReconcileMessage } from './delivery.ts';

/** A message that was given up, while nobody else looks at it. */
export interface DeadMessage {
  readonly body: string;
  remove(): Promise<void>;
}

/** The ports to send dead messages again. */
export interface RedrivePorts {
  /** Some of those that are there; none when there are none. */
  receive(): Promise<readonly DeadMessage[]>;
  send(message: ReconcileMessage): Promise<void>;
  nonce(): string;
  /** Only those of this reconciler. Default all. */
  readonly reconciler?: string;
}

/** The result of a redrive. */
export interface Redriven {
  readonly sent: number;
  /** Of other reconcilers, or no messages at all: they are where they were. */
  readonly left: number;
}

/** Sends dead messages again, each as a first attempt, and removes each once it is sent. Throws what a port throws. */
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
