/** Settings of a preset that no written source confirms, as the table in RULES.md marks them (003/R14). */
export const UNVERIFIED: Readonly<Record<string, readonly string[]>> = {
  tenhou: ['yakuman_max'],
  soul: [
    'sudden_death_over_renchan',
    'uma',
    'round_points',
    'agari_yame',
    'tenpai_yame',
    'leftover_riichi_bets',
    'min_wall_for_kan',
    'riichi_kan',
    'pao_suukantsu',
    'double_wind_pair_fu',
  ],
  ema: ['game_type', 'kokushi_robs_closed_kan', 'min_wall_for_riichi', 'double_wind_pair_fu'],
};
