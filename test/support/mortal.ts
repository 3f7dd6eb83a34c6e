import type { ChildProcess } from 'node:child_process';

const kills = new Set<() => void>();
process.once('exit', () => {
  for (const kill of kills) kill();
});

/** Ensures that a child process does not outlive this one: `kill` ends it if it still runs when this process exits. */
export function mortal<Child extends ChildProcess>(child: Child, kill = (): void => void child.kill('SIGKILL')): Child {
  kills.add(kill);
  child.once('exit', () => kills.delete(kill));
  return child;
}
