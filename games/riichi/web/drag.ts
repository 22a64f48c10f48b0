// Dragging a tile of the hand onto the table. A tile that is let go over the hand stays where it was; a press that does
// not move is left to the buttons.

export interface Dragged {
  /** Whether the tile can be discarded now. */
  readonly may: (tile: number) => boolean;
  readonly drop: (tile: number) => void;
}

/** So far a press may move and still be a press, in pixels. */
const STILL_PX = 8;

export function drag(hand: HTMLElement, given: Dragged): { update(now: Dragged): void; destroy(): void } {
  let held: { tile: HTMLElement; id: number; x: number; y: number; moved: boolean } | undefined;
  const table = () => hand.closest('.rii');
  const over = (y: number) => y < hand.getBoundingClientRect().top;

  function put() {
    if (!held) return;
    held.tile.classList.remove('drag');
    held.tile.style.translate = '';
    table()?.classList.remove('aim');
    held = undefined;
  }
  function down(event: PointerEvent) {
    const tile = (event.target as HTMLElement).closest<HTMLElement>('button.tile[data-tile]');
    if (!tile || event.button !== 0 || !event.isPrimary || !given.may(Number(tile.dataset.tile))) return;
    held = { tile, id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  }
  function move(event: PointerEvent) {
    if (!held || event.pointerId !== held.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(dx, dy) < STILL_PX) return;
    held.moved = true;
    held.tile.classList.add('drag');
    held.tile.style.translate = `${dx}px ${dy}px`;
    table()?.classList.toggle('aim', over(event.clientY));
  }
  function up(event: PointerEvent) {
    if (!held || event.pointerId !== held.id) return;
    const { tile, moved } = held;
    put();
    if (!moved) return;
    // The click that ends a drag presses nothing.
    const hush = (click: Event) => click.stopPropagation();
    addEventListener('click', hush, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', hush, { capture: true }));
    const id = Number(tile.dataset.tile);
    if (over(event.clientY) && given.may(id)) given.drop(id);
  }
  function key(event: KeyboardEvent) {
    if (event.key === 'Escape') put();
  }
  hand.addEventListener('pointerdown', down);
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', put);
  addEventListener('keydown', key);
  return {
    update(now) {
      given = now;
    },
    destroy() {
      put();
      hand.removeEventListener('pointerdown', down);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', put);
      removeEventListener('keydown', key);
    },
  };
}
