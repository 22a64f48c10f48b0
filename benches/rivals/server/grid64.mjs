// The rules of grid64, shared by every rival: 64 cells, two seats take turns, the board clears when it is full.
export class Grid64 {
  constructor() {
    this.taken = new Uint8Array(64);
    this.count = 0;
    this.turn = 0;
  }

  // Whether the move was legal; if so it was made.
  move(seat, cell) {
    if (seat !== this.turn % 2 || !Number.isInteger(cell) || cell < 0 || cell > 63 || this.taken[cell]) return false;
    this.taken[cell] = seat + 1;
    this.turn += 1;
    this.count += 1;
    if (this.count === 64) {
      this.taken.fill(0);
      this.count = 0;
    }
    return true;
  }
}
