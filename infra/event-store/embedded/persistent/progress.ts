/** Something let in that is done once, out of order perhaps. */
interface Task {
  done: boolean;
}

/** Which of the tasks that were let in, in their order, is the oldest not done: where a checkpoint may stand. */
export interface Progress<T extends Task> {
  admit(task: T): void;
  /** Marks it done. False when it was. */
  finish(task: T): boolean;
  oldest(): T | null;
  /** How many are not done. */
  outstanding(): number;
}

/** Done tasks that may lie behind one that is stuck before they are swept out, beside as many as are outstanding. */
const slack = 1_024;

export function trackProgress<T extends Task>(): Progress<T> {
  let tasks: T[] = [];
  let first = 0;
  let outstanding = 0;
  return {
    outstanding: () => outstanding,
    admit(task) {
      tasks.push(task);
      outstanding += 1;
      if (tasks.length <= 2 * outstanding + slack) return;
      tasks = tasks.filter(({ done }) => !done);
      first = 0;
    },
    finish(task) {
      if (task.done) return false;
      task.done = true;
      outstanding -= 1;
      return true;
    },
    oldest() {
      while (tasks[first]?.done) first += 1;
      return tasks[first] ?? null;
    },
  };
}
