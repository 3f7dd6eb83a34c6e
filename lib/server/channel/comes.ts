/** The event interface of a Node stream. */
export interface StreamEvents {
  on(event: string, act: () => void): unknown;
  off(event: string, act: () => void): unknown;
  readonly closed: boolean;
}

/** Waits for an event of a stream, or until the stream closes, because the event cannot occur after that. Removes all its listeners. */
export function comes(event: string, stream: StreamEvents): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off(event, done);
      stream.off('close', done);
      resolve();
    };
    stream.on(event, done);
    stream.on('close', done);
    if (stream.closed) done();
  });
}
