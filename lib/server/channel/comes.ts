/** The part of a stream of node that tells its events. */
export interface StreamEvents {
  on(event: string, act: () => void): unknown;
  off(event: string, act: () => void): unknown;
  readonly closed: boolean;
}

/** Waits for an event of a stream, or for the stream to close, after which the event never comes. Leaves no listener behind. */
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
